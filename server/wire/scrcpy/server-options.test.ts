import { ScrcpyOptions3_3_3 } from '@yume-chan/scrcpy'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatServerArguments, parseServerCommand } from '@/server/wire/scrcpy/server-options'
import { WireError } from '@/server/wire/wire-error'

const prefix = 'CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server'

test('reads the command Tango sends', () => {
  expect(
    parseServerCommand(
      `${prefix} 3.3.3 log_level=info max_fps=60 tunnel_forward=true cleanup=false audio=false video_codec_options=profile:int=1,i-frame-interval:int=2`,
    ),
  ).toEqual({
    version: '3.3.3',
    options: {
      log_level: 'info',
      max_fps: '60',
      tunnel_forward: 'true',
      cleanup: 'false',
      audio: 'false',
      video_codec_options: 'profile:int=1,i-frame-interval:int=2',
    },
  })
})

test('reads the command scrcpy 4.1 sends', () => {
  expect(parseServerCommand(`${prefix} 4.1 scid=1d400f9a log_level=info`)).toEqual({
    version: '4.1',
    options: { scid: '1d400f9a', log_level: 'info' },
  })
})

test.each([
  ["CLASSPATH='/data/local/tmp/a b.jar' app_process / com.genymobile.scrcpy.Server 3.3.3 'crop=1:2:3:4'"],
  ['CLASSPATH="/a \\"b" app_process -Dx=y / com.genymobile.scrcpy.Server  3.3.3\tcrop="1:2:3:4"'],
  ['CLASSPATH=/a\\ b A=b app_process / com.genymobile.scrcpy.Server 3.3.3 crop=1:2\\:3:4\n'],
])('reads quotes as a shell does: %s', (command) => {
  expect(parseServerCommand(command)).toEqual({ version: '3.3.3', options: { crop: '1:2:3:4' } })
})

test.each([
  '',
  'ls -l',
  'app_process / com.genymobile.scrcpy.Server 3.3.3',
  'CLASSPATH=/a.jar app_process / com.example.Other 3.3.3',
  'CLASSPATH=/a.jar rm app_process / com.genymobile.scrcpy.Server 3.3.3',
  prefix,
  `${prefix} latest`,
  `${prefix} 3.3.3 noequals`,
  `${prefix} 3.3.3 =5`,
  `${prefix} 3.3.3 a=1; rm -r /`,
  `${prefix} 3.3.3 a=1\nrm -r /`,
  `${prefix} 3.3.3 a=$(id)`,
  `${prefix} 3.3.3 a="$HOME"`,
  `${prefix} 3.3.3 'a=1`,
])('is null for %j', (command) => {
  expect(parseServerCommand(command)).toBeNull()
})

test('never throws, whatever the shell gets', () => {
  fc.assert(
    fc.property(fc.string(), (tail) => {
      const parsed = parseServerCommand(`${prefix} 3.3.3 ${tail}`)
      expect(parsed === null || parsed.version === '3.3.3').toBe(true)
    }),
  )
})

test('writes the arguments Tango writes', () => {
  const options = new ScrcpyOptions3_3_3({ audio: false, maxSize: 1280, maxFps: 30, tunnelForward: true })
  const parsed = parseServerCommand(`${prefix} 3.3.3 ${options.serialize().join(' ')}`)
  expect(parsed).not.toBeNull()
  if (parsed !== null) expect(formatServerArguments(parsed)).toEqual(['3.3.3', ...options.serialize()])
})

test('reads what it wrote', () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/)
  const value = fc.stringMatching(/^[\w.,:=@/+-]{0,10}$/)
  fc.assert(
    fc.property(fc.dictionary(key, value, { noNullPrototype: true }), (options) => {
      const text = formatServerArguments({ version: '3.3.3', options }).join(' ')
      expect(parseServerCommand(`${prefix} ${text}`)).toEqual({ version: '3.3.3', options })
    }),
  )
})

test.each([
  ['3.3.3;id', {}],
  ['', {}],
  ['3.3.3', { crop: '$(id)' }],
  ['3.3.3', { crop: "a'b" }],
  ['3.3.3', { crop: 'a b' }],
  ['3.3.3', { 'Bad-Key': '1' }],
])('refuses to write %j %j', (version, options) => {
  expect(() => formatServerArguments({ version, options: options as Record<string, string> })).toThrow(WireError)
})
