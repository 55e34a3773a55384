import { createLogger } from '@/server/platform/log'
import { type PhoneServer, startPhoneServer } from '@/server/phone/adbd/phone-server'
import type { PhoneEvent, PhoneMachine } from '@/server/phone/contract'
import { createPhoneMachine } from '@/server/phone/machine'

export type TestPhone = {
  readonly address: string
  readonly machine: PhoneMachine
  /** Every touch, key, text and scroll that reached the phone, oldest first. */
  readonly inputs: PhoneEvent[]
  /** Resolves once `isDone` holds for the inputs. */
  waitForInputs(isDone: (inputs: PhoneEvent[]) => boolean): Promise<void>
  stop(): Promise<void>
  /** Comes back at the same address with the same state. */
  start(): Promise<void>
}

/** A virtual phone in this process, behind its own adb daemon. */
export async function startTestPhone(serial: string): Promise<TestPhone> {
  const inputs: PhoneEvent[] = []
  const waiters = new Set<() => void>()
  const inner = createPhoneMachine({ seed: 7 })
  const machine: PhoneMachine = {
    ...inner,
    dispatch(event) {
      if (event.type !== 'tick') {
        inputs.push(event)
        for (const check of waiters) check()
      }
      inner.dispatch(event)
    },
  }
  const serve = (port: number): Promise<PhoneServer> =>
    startPhoneServer({
      machine,
      identity: { name: `Phone ${serial}`, serial },
      port,
      seed: 7,
      logger: createLogger('test phone'),
      fork: () => Promise.reject(new Error('a test phone cannot fork')),
    })
  let server: PhoneServer | null = await serve(0)
  const { port } = server
  return {
    address: `127.0.0.1:${port}`,
    machine,
    inputs,
    waitForInputs: (isDone) =>
      new Promise((resolve) => {
        const check = () => {
          if (!isDone(inputs)) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        check()
      }),
    async stop() {
      await server?.close()
      server = null
    },
    async start() {
      server ??= await serve(port)
    },
  }
}
