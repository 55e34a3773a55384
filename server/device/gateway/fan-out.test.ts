import { describe, expect, test } from 'vitest'
import { decodeGatewayFrame } from '@/server/wire/gateway/frames'
import { FanOut, type FrameSink, slowBytes } from './fan-out'

class Sink implements FrameSink {
  readonly received: string[] = []
  buffered = 0
  hasGivenUp = false

  send(message: Uint8Array): void {
    const { kind, isKey, frameNumber } = decodeGatewayFrame(message)
    this.received.push(kind === 'configuration' ? 'config' : `${isKey ? 'key' : 'p'}${frameNumber}`)
  }

  bufferedBytes(): number {
    return this.buffered
  }

  giveUp(): void {
    this.hasGivenUp = true
  }
}

function setUp() {
  const clock = { now: 100_000 }
  let resets = 0
  const hub = new FanOut({ clock: () => clock.now, resetVideo: () => void (resets += 1) })
  let next = 0
  const configure = () => hub.configure({ width: 540, height: 1200, data: new Uint8Array([1]) })
  const push = (isKey: boolean, options: { ptsMs?: number; bytes?: number } = {}) => {
    const frameNumber = next++
    const ptsUs = BigInt((options.ptsMs ?? frameNumber * 16) * 1_000)
    hub.push({ frameNumber, isKey, ptsUs, data: new Uint8Array(options.bytes ?? 10) })
  }
  return { hub, clock, configure, push, resets: () => resets }
}

describe('a viewer', () => {
  test('gets the configuration, then frames from the key frame on', () => {
    const { hub, configure, push } = setUp()
    const sink = new Sink()
    hub.add(sink)
    configure()
    push(true)
    push(false)
    expect(sink.received).toEqual(['config', 'key0', 'p1'])
  })

  test('who joins late gets the configuration and all since the key frame at once', () => {
    const { hub, configure, push, resets } = setUp()
    configure()
    push(true)
    push(false)
    push(true)
    push(false)
    const late = new Sink()
    hub.add(late)
    expect(late.received).toEqual(['config', 'key2', 'p3'])
    push(false)
    expect(late.received.at(-1)).toBe('p4')
    expect(resets()).toBe(0)
  })

  test('a new configuration stops frames until its key frame', () => {
    const { hub, configure, push } = setUp()
    const sink = new Sink()
    hub.add(sink)
    configure()
    push(true)
    configure()
    push(false)
    push(true)
    expect(sink.received).toEqual(['config', 'key0', 'config', 'key2'])
  })

  test('gets nothing after it has left', () => {
    const { hub, configure, push } = setUp()
    const sink = new Sink()
    hub.add(sink)
    configure()
    hub.remove(sink)
    push(true)
    expect(sink.received).toEqual([])
  })
})

describe('the cache', () => {
  test.each([
    ['2 s', { ptsMs: 2_001 }],
    ['4 MB', { ptsMs: 20, bytes: 4_194_304 }],
  ])('beyond %s a newcomer asks for a key frame instead', (_, options) => {
    const { hub, clock, configure, push, resets } = setUp()
    configure()
    push(true, { ptsMs: 0 })
    push(false, options)
    clock.now += 2_000
    const late = new Sink()
    hub.add(late)
    expect(late.received).toEqual([])
    expect(resets()).toBe(1)
    configure()
    push(true)
    expect(late.received).toEqual(['config', 'key2'])
  })

  test('the device is asked at most once in 2 s, and then for those who came meanwhile', () => {
    const { hub, clock, configure, resets } = setUp()
    configure()
    clock.now += 2_000
    hub.requestKeyFrame()
    hub.requestKeyFrame()
    hub.add(new Sink())
    expect(resets()).toBe(1)
    clock.now += 1_999
    hub.tick()
    expect(resets()).toBe(1)
    clock.now += 1
    hub.tick()
    expect(resets()).toBe(2)
  })

  test('is gone after a reset', () => {
    const { hub, configure, push } = setUp()
    configure()
    push(true)
    hub.reset()
    const late = new Sink()
    hub.add(late)
    expect(late.received).toEqual([])
    expect(hub.size).toBeNull()
    expect(hub.lastFrameNumber).toBe(-1)
  })
})

describe('a slow viewer', () => {
  test('loses frames up to the next key frame; the others lose none', () => {
    const { hub, configure, push } = setUp()
    const slow = new Sink()
    const quick = new Sink()
    hub.add(slow)
    hub.add(quick)
    configure()
    push(true)
    slow.buffered = slowBytes + 1
    push(false)
    slow.buffered = 0
    push(false)
    push(true)
    push(false)
    expect(slow.received).toEqual(['config', 'key0', 'config', 'key3', 'p4'])
    expect(quick.received).toEqual(['config', 'key0', 'p1', 'p2', 'key3', 'p4'])
  })

  test('on a screen that no longer changes it catches up from the cache', () => {
    const { hub, configure, push } = setUp()
    const slow = new Sink()
    hub.add(slow)
    configure()
    push(true)
    slow.buffered = slowBytes + 1
    push(false)
    hub.tick()
    expect(slow.received).toEqual(['config', 'key0'])
    slow.buffered = 0
    hub.tick()
    expect(slow.received).toEqual(['config', 'key0', 'config', 'key0', 'p1'])
  })

  test('is given up after 10 s', () => {
    const { hub, clock, configure, push } = setUp()
    const slow = new Sink()
    hub.add(slow)
    configure()
    push(true)
    slow.buffered = slowBytes + 1
    push(false)
    clock.now += 9_999
    hub.tick()
    expect(slow.hasGivenUp).toBe(false)
    clock.now += 1
    hub.tick()
    expect(slow.hasGivenUp).toBe(true)
    expect(hub.viewerCount).toBe(0)
  })
})
