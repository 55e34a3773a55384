import { expect, test } from 'vitest'
import { readServerOptions } from './server-options'

test('defaults are upstream ones', () => {
  expect(readServerOptions(['3.3.3'])).toEqual({
    options: {
      socketName: 'scrcpy',
      video: true,
      audio: true,
      control: true,
      tunnelForward: false,
      maxSize: 0,
      maxFps: 0,
      sendDeviceMeta: true,
      sendFrameMeta: true,
      sendDummyByte: true,
      sendCodecMeta: true,
      list: null,
    },
    warnings: [],
  })
})

test('a raw stream has no metadata; unknown options are only warned of', () => {
  const { options, warnings } = readServerOptions([
    '3.3.3',
    'raw_stream=true',
    'scid=0A1b2c3d',
    'colour=blue',
    'max_fps=30',
  ])
  expect(options).toMatchObject({
    socketName: 'scrcpy_0a1b2c3d',
    sendFrameMeta: false,
    sendDummyByte: false,
    maxFps: 30,
  })
  expect(warnings).toEqual(['Unknown server option: colour'])
})

test.each([
  [[], 'Missing client version'],
  [['4.1'], 'The server version (3.3.3) does not match the client (4.1)'],
  [['3.3.3', 'audio'], 'Invalid key=value pair'],
  [['3.3.3', 'scid=xyz'], 'Invalid scid'],
  [['3.3.3', 'max_size=big'], 'max_size'],
  [['3.3.3', 'max_fps=NaN'], 'max_fps'],
  [['3.3.3', 'video_codec=h265'], 'h265 not supported'],
  [['3.3.3', 'video_source=camera'], 'no camera'],
])('%j is refused', (args, reason) => {
  expect(() => readServerOptions(args)).toThrow(reason)
})
