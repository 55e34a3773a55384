import { expect, test } from 'vitest'
import { createFakeMachine } from '@/server/phone/shell/testing/fake-machine'
import { ScreenFeed } from './screen-feed'

const whole = { x: 0, y: 0, width: 540, height: 1_200 }
const part = { x: 10, y: 20, width: 30, height: 40 }

test('each subscriber gets all damage once, at first the whole screen', () => {
  const machine = createFakeMachine()
  const feed = new ScreenFeed(machine)
  const [one, other] = [feed.subscribe(), feed.subscribe()]
  expect(one.take()).toEqual([whole])
  machine.damage.push(part)
  expect(one.take()).toEqual([part])
  expect(one.take()).toEqual([])
  expect(other.take()).toEqual([whole, part])
})

test('a screenshot eats no damage', () => {
  const machine = createFakeMachine()
  const feed = new ScreenFeed(machine)
  const subscriber = feed.subscribe()
  subscriber.take()
  machine.damage.push(part)
  feed.png()
  expect(subscriber.take()).toEqual([part])
})

test('damage nobody takes becomes one box around it', () => {
  const machine = createFakeMachine()
  const feed = new ScreenFeed(machine)
  const subscriber = feed.subscribe()
  subscriber.take()
  for (let index = 0; index < 100; index++) {
    machine.damage.push({ x: index, y: 0, width: 1, height: 1 })
    feed.png()
  }
  const rects = subscriber.take()
  expect(rects.length).toBeLessThan(65)
  expect(Math.max(...rects.map((rect) => rect.x + rect.width))).toBe(100)
  expect(Math.min(...rects.map((rect) => rect.x))).toBe(0)
})
