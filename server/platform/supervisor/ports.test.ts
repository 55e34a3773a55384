import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { planPorts } from './ports'

const wanted = { port: 4300, gatewayPort: 4301, phonePorts: [5611, 5613] }
const allBut =
  (...taken: number[]) =>
  async (port: number) =>
    !taken.includes(port)

test('keeps the wanted ports when they are free', async () => {
  expect(await planPorts(wanted, '127.0.0.1', allBut())).toEqual(wanted)
})

test.each([4300, 4301])('when %i is taken, web and gateway move up together by ten, the phones stay', async (taken) => {
  expect(await planPorts(wanted, '127.0.0.1', allBut(taken))).toEqual({ ...wanted, port: 4310, gatewayPort: 4311 })
})

test('phones move together, past the ports adb servers scan and past our own', async () => {
  const phones = { ...wanted, port: 5600, gatewayPort: 5601, phonePorts: [5541, 5550] }
  const planned = await planPorts(phones, '127.0.0.1', allBut(5541))
  expect(planned.phonePorts).toEqual([5611, 5620])
})

test('looks at real ports by default', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const planned = await planPorts({ port, gatewayPort: port + 1, phonePorts: [] }, '127.0.0.1')
  expect(planned.port).not.toBe(port)
  expect((planned.port - port) % 10).toBe(0)
  server.close()
})

test('gives up with what to do when nothing is free', async () => {
  await expect(planPorts(wanted, '127.0.0.1', async () => false)).rejects.toThrow('TAPLINE_PORT')
})
