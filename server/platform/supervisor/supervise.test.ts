import { expect, test } from 'vitest'
import { phoneSerial, planChildren } from './plan-children'
import { nextDelayMs } from './supervise'

test('waits longer after each early end, at most 10 s, and starts over after a long life', () => {
  const delays: number[] = []
  let delay: number | null = null
  for (let start = 0; start < 8; start++) {
    delay = nextDelayMs(delay, 100)
    delays.push(delay)
  }
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  expect(nextDelayMs(10_000, 29_999)).toBe(10_000)
  expect(nextDelayMs(10_000, 30_000)).toBe(250)
})

test('a phone keeps its serial number, and two phones or two folders never share one', () => {
  expect(phoneSerial('/a', 5611)).toMatch(/^TPL[0-9A-F]{6}5611$/)
  expect(phoneSerial('/a', 5611)).toBe(phoneSerial('/a', 5611))
  expect(new Set([phoneSerial('/a', 5611), phoneSerial('/a', 5613), phoneSerial('/b', 5611)]).size).toBe(3)
})

test('plans nothing whose bundle is not there', () => {
  const ports = { port: 1, gatewayPort: 2, phonePorts: [3] }
  expect(planChildren({ binFolder: '/nowhere', dataFolder: '/a', ports, env: { NODE_ENV: 'test' } })).toEqual([])
})
