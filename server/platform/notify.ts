import { sql as query } from 'drizzle-orm'
import postgres from 'postgres'
import type { Database, Transaction } from '@/db/client'

/** Sends a notice that arrives when the transaction commits; a payload has at most 8000 bytes. */
export async function notify(tx: Database | Transaction, channel: string, payload: string): Promise<void> {
  await tx.execute(query`select pg_notify(${channel}, ${payload})`)
}

export type Listener = {
  /**
   * Calls `onPayload` for every notice on the channel. `onReconnect` runs each time listening has been set up again
   * after the connection was lost: notices in between are gone, so read what you follow again. Returns a stop function.
   */
  listen(channel: string, onPayload: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

type Subscription = { onPayload: (payload: string) => void; onReconnect: () => void }
/** postgres.js takes `onnotify`, which its types leave out. */
type NotifyingOptions = postgres.Options<Record<string, never>> & {
  onnotify: (channel: string, payload: string) => void
}

const firstRetryMs = 100
const lastRetryMs = 5_000

/**
 * A listener on a connection of its own, dialled at the first `listen`. When the connection breaks it dials again, with
 * back-off, for as long as it takes. (`sql.listen` of postgres.js gives up when the first new attempt is refused.)
 */
export function createListener(databaseUrl: string): Listener {
  const subscriptions = new Map<string, Set<Subscription>>()
  let retryMs = firstRetryMs
  let retryTimer: NodeJS.Timeout | null = null
  let isClosed = false

  const options: NotifyingOptions = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'tapline listener' },
    onnotify: (channel, payload) => {
      for (const subscription of subscriptions.get(channel) ?? []) subscription.onPayload(payload)
    },
    onclose: () => scheduleRelisten(),
  }
  const connection = postgres(databaseUrl, options)
  const listenOn = (channel: string) => connection.unsafe(`listen "${channel.replaceAll('"', '""')}"`)

  function scheduleRelisten(): void {
    if (isClosed || retryTimer !== null || subscriptions.size === 0) return
    retryTimer = setTimeout(() => void relisten(), retryMs)
    retryMs = Math.min(retryMs * 2, lastRetryMs)
  }

  async function relisten(): Promise<void> {
    try {
      for (const channel of subscriptions.keys()) await listenOn(channel)
    } catch {
      retryTimer = null
      scheduleRelisten()
      return
    }
    retryTimer = null
    retryMs = firstRetryMs
    for (const set of subscriptions.values()) for (const subscription of set) subscription.onReconnect()
  }

  return {
    async listen(channel, onPayload, onReconnect) {
      const subscription: Subscription = { onPayload, onReconnect }
      const set = subscriptions.get(channel) ?? new Set<Subscription>()
      set.add(subscription)
      subscriptions.set(channel, set)
      const stop = async () => {
        if (!set.delete(subscription) || set.size > 0 || subscriptions.get(channel) !== set) return
        subscriptions.delete(channel)
        // A broken connection listens to nothing: there is nothing to undo then.
        if (!isClosed) await connection.unsafe(`unlisten "${channel.replaceAll('"', '""')}"`).catch(() => undefined)
      }
      try {
        await listenOn(channel)
      } catch (error) {
        await stop()
        throw error
      }
      return stop
    },
    async close() {
      isClosed = true
      if (retryTimer !== null) clearTimeout(retryTimer)
      await connection.end({ timeout: 1 })
    },
  }
}
