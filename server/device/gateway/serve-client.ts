import type { WebSocket } from 'ws'
import type { Clock } from '@/server/platform/clock'
import type { Logger } from '@/server/platform/log'
import { type ClientMessage, clientMessage, type ServerMessage } from '@/server/wire/gateway/messages'
import type { InputMessage, Refusal } from './device-control'
import type { DeviceSession, SessionClient } from './device-session'
import type { LeaseParty } from './lease'
import { MessageBudget } from './message-budget'

/** Also tells a viewer that the connection lives: browsers see no pings. */
const heartbeatMs = 2_000
const policyViolation = 1008
const tryAgainLater = 1013

type ServedClient = {
  device: { id: string; name: string }
  session: DeviceSession
  party: LeaseParty
  /** False for a spectator. */
  mayDrive: boolean
  clock: Clock
  log: Logger
}

/** Serves one client of a device from its first message to the end of its socket. */
export function serveClient(socket: WebSocket, { device, session, party, mayDrive, clock, log }: ServedClient): void {
  const { control, fanOut } = session
  const budget = new MessageBudget(clock)
  let hasLoggedRefusal = false

  const send = (message: ServerMessage) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const refuse = (refusal: Refusal, id?: number) => {
    send({ type: 'refused', ...refusal, ...(id === undefined ? {} : { id }) })
  }
  const close = (reason: string) => {
    log.warn({ client: party.name, reason }, 'client closed')
    socket.close(policyViolation, reason)
  }
  const sendState = () => send({ type: 'state', ...session.state })
  const client: SessionClient = {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(message)
    },
    bufferedBytes: () => socket.bufferedAmount,
    giveUp: () => {
      socket.close(tryAgainLater, 'too slow')
      // Its close frame stands behind all that it doesn't read.
      socket.terminate()
    },
    onState: sendState,
    onLease: () => {
      const { lease } = control
      if (lease === null) return send({ type: 'lease', holder: null })
      const { kind, id, name, expiresAt, connectionId } = lease
      send({ type: 'lease', holder: { kind, id, name, expiresAt, mine: connectionId === party.connectionId } })
    },
  }

  const input = async (message: InputMessage) => {
    const outcome = await control.input(party.connectionId, message)
    if (!outcome.ok) refuse({ code: outcome.code, message: outcome.message }, message.id)
    else if (message.id !== undefined) send({ type: 'input.done', id: message.id, frameNumber: outcome.frameNumber })
  }

  const refuseSpectator = (id?: number) => {
    if (!hasLoggedRefusal) log.warn({ client: party.name, id: party.id }, 'a spectator tried to drive the device')
    hasLoggedRefusal = true
    refuse({ code: 'not-allowed', message: 'You may watch this device; driving it needs the role operator.' }, id)
  }

  const handle = (message: ClientMessage) => {
    if (message.type === 'reset-video') return fanOut.requestKeyFrame()
    if (!mayDrive) return refuseSpectator('id' in message ? message.id : undefined)
    switch (message.type) {
      case 'lease.take':
        if (control.take(party, message.preempt)) return
        return refuse({
          code: 'lease-held',
          message: `${control.lease?.name ?? 'Someone'} has this device at the moment.`,
        })
      case 'lease.renew':
        if (control.renew(party.connectionId)) return
        return refuse({ code: 'lease-lost', message: 'You do not hold the lease of this device.' })
      case 'lease.release':
        control.release(party.connectionId, 'released')
        return
      case 'touch':
      case 'key':
      case 'text':
      case 'scroll':
        // Every failure is an outcome; a rejection would be a defect of ours and must not go unseen.
        input(message).catch((error: unknown) => log.error({ err: error }, 'input failed'))
        return
      default:
        throw new Error(`unknown message ${JSON.stringify(message satisfies never)}`)
    }
  }

  const heartbeat = setInterval(sendState, heartbeatMs)
  let hasAnswered = true
  const liveness = setInterval(() => {
    if (!hasAnswered) return socket.terminate()
    hasAnswered = false
    socket.ping()
  }, 10_000)
  socket.on('pong', () => {
    hasAnswered = true
  })
  socket.on('message', (data, isBinary) => {
    const verdict = budget.count()
    if (verdict === 'close') return close('too many messages')
    if (verdict === 'drop-and-tell')
      refuse({ code: 'rate-limited', message: 'More than 200 messages in a second: the rest is dropped.' })
    if (verdict !== 'accept') return
    const message = isBinary ? null : readMessage(toText(data))
    if (message !== null) return handle(message)
    if (budget.countUnreadable() === 'close') return close('too many unreadable messages')
    refuse({ code: 'bad-message', message: 'The gateway could not read that message.' })
  })
  socket.on('error', (error) => log.debug({ err: error }, 'client socket failed'))
  socket.once('close', () => {
    clearInterval(heartbeat)
    clearInterval(liveness)
    control.release(party.connectionId, 'disconnected')
    session.detach(client)
  })

  send({ type: 'hello', deviceId: device.id, name: device.name, mayDrive })
  session.attach(client)
}

function toText(data: Buffer | ArrayBuffer | Buffer[]): string {
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data as Buffer).toString('utf8')
}

function readMessage(text: string): ClientMessage | null {
  try {
    return clientMessage.parse(JSON.parse(text))
  } catch {
    return null
  }
}
