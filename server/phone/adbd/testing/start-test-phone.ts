import { startPhoneServer, type PhoneServer } from '@/server/phone/adbd/phone-server'
import type { PhoneMachine } from '@/server/phone/contract'
import { createPhoneMachine } from '@/server/phone/machine'
import { createLogger } from '@/server/platform/log'

export type TestPhone = { server: PhoneServer; machine: PhoneMachine }

/** A live phone in this process, on a free port. */
export async function startTestPhone(): Promise<TestPhone> {
  const machine = createPhoneMachine({ seed: 1 })
  const server = await startPhoneServer({
    machine,
    identity: { serial: 'TEST0001', name: 'Test phone' },
    port: 0,
    seed: 1,
    logger: createLogger('test-phone', { write: () => {} }),
    fork: () => Promise.resolve('127.0.0.1:1'),
  })
  return { server, machine }
}
