import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newSession } from './command'
import { programs } from './programs'
import { createFakeDevice, runShell } from './testing/run-shell'

describe('a script', () => {
  test.each([
    ['echo a  b "c  d"', 'a b c  d\n'],
    [`echo 'it'"'"'s' \\$x "\\$y" '$z'`, "it's $x $y $z\n"],
    ['x=1; echo $x "${x}2" ${none:-other} "$none"', '1 12 other \n'],
    ['x="a  b"; echo $x; echo "$x"', 'a b\na  b\n'],
    ['x=1 env | grep ^x; echo "[$x]"', 'x=1\n[]\n'],
    ['export y=2; env | grep ^y', 'y=2\n'],
    ['true && echo yes || echo no', 'yes\n'],
    ['false && echo yes || echo no', 'no\n'],
    ['false; echo $?; echo $?', '1\n0\n'],
    ['! false && echo negated', 'negated\n'],
    ['echo $(echo a; echo b) `echo c`', 'a b c\n'],
    ['echo "$(printf \'%s-%02d\\n\' x 7 y 8)"', 'x-07\ny-08\n'],
    ['(cd /sdcard; pwd); pwd', '/sdcard\n/\n'],
    ['{ cd /sdcard; pwd; }; pwd', '/sdcard\n/sdcard\n'],
    ['printf "b\\na\\n" | sort | head -n 1', 'a\n'],
    ['for i in 1 2 3; do echo $i; done | wc -l', '3\n'],
    ['if [ -d /sdcard ]; then echo dir; elif true; then echo odd; else echo no; fi', 'dir\n'],
    ['touch /sdcard/x; while [ -f /sdcard/x ]; do rm /sdcard/x; echo once; done', 'once\n'],
    ["sh -c 'echo $1 $#' name a b", 'a 2\n'],
    ['echo one > /sdcard/f; echo two >> /sdcard/f; cat < /sdcard/f', 'one\ntwo\n'],
    ['foo 2>&1 | cat', '/system/bin/sh: foo: not found\n'],
    ['foo 2>/dev/null; echo $?', '127\n'],
    ['cd /sdcard; touch b.txt a.txt c; echo *.txt "*.txt" n*ne', 'a.txt b.txt *.txt n*ne\n'],
    ['export ANDROID_LOG_TAGS=""; exec echo last; echo never', 'last\n'],
    ["echo -n a; echo -e 'b\\tc'", 'ab\tc\n'],
    ['echo a # comment\n# another\necho b', 'a\nb\n'],
    ['echo a \\\n b', 'a b\n'],
    ['/system/bin/echo path', 'path\n'],
    [
      "echo 'echo from a file $0' > /data/local/tmp/s.sh; chmod 755 /data/local/tmp/s.sh; /data/local/tmp/s.sh",
      'from a file /data/local/tmp/s.sh\n',
    ],
  ])('%s', async (script, expected) => {
    expect((await runShell(script)).stdout).toBe(expected)
  })

  test.each([
    ['exit 7', 7],
    ['(exit 3)', 3],
    ['exit 4 | true', 0],
    ['true | exit 4', 4],
    ['false', 1],
    ['', 0],
    ['nothing', 127],
    ['touch /sdcard/x; /sdcard/x', 126],
    ['[ a = b', 2],
    ['[ 1 -lt 2 ] && [ ! -e /x ]', 0],
    ['echo "', 1],
    ['cat /none', 1],
    ['grep -q b /none', 2],
    ['x=$(false)', 1],
    ['echo x > /system/x', 1],
    ['echo x > /data/x', 1],
    ['tapline', 2],
    ['tapline reset --seed x', 2],
    ['tapline fork', 1],
  ])('%s ends with %d', async (script, code) => {
    expect((await runShell(script)).code).toBe(code)
  })

  test('writes what goes wrong to stderr and goes on', async () => {
    const outcome = await runShell('cat /none; ls /none; echo > /system/x; echo on')
    expect(outcome.stdout).toBe('on\n')
    expect(outcome.stderr).toBe(
      'cat: /none: No such file or directory\nls: /none: No such file or directory\n' +
        "/system/bin/sh: can't create /system/x: Read-only file system\n",
    )
  })

  test('stdin goes to the command that reads it', async () => {
    expect((await runShell('cat > /sdcard/in; wc -c /sdcard/in', { stdin: 'four' })).stdout).toBe('4 /sdcard/in\n')
  })

  test('a session keeps variables and directory between scripts', async () => {
    const session = newSession()
    const device = createFakeDevice()
    await runShell('cd /sdcard; x=kept', { session, device })
    expect((await runShell('echo $PWD $x', { session, device })).stdout).toBe('/sdcard kept\n')
  })

  test('a reader that leaves ends the writer before it', async () => {
    const device = createFakeDevice()
    device.files.write('/sdcard/long', Buffer.alloc(1_048_576, 'x\n'))
    expect(await runShell('cat /sdcard/long | true', { device })).toEqual({ stdout: '', stderr: '', code: 0 })
  })

  test('a script that runs itself is stopped', async () => {
    const outcome = await runShell("echo 'sh /sdcard/s' > /sdcard/s; sh /sdcard/s")
    expect(outcome.stderr).toContain('nested too deeply')
    expect(outcome.code).toBe(1)
  })

  test('a sleep and an endless log end with the signal', async () => {
    for (const script of ['sleep 1000000', 'logcat', 'while true; do sleep 1000; done']) {
      const controller = new AbortController()
      const running = runShell(script, { signal: controller.signal })
      controller.abort()
      expect((await running).code).toBe(137)
    }
  })

  test('an expression that backtracks for ever is refused', async () => {
    const outcome = await runShell(`echo ${'a'.repeat(40)} | grep -E '(a+)+b'`)
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toContain('timed out')
  })

  test('no script makes the shell throw or hang', async () => {
    const words = fc.constantFrom(
      ...[...programs.keys()].filter((name) => !['sleep', 'logcat', 'input'].includes(name)),
      '/sdcard',
      '/sdcard/a',
      '-l',
      '-p',
      '-r',
      'a',
      '*',
      '"',
      "'",
      '$x',
      '$(',
      ')',
      '|',
      ';',
      '&&',
      '||',
      '>',
      '<',
      '2>&1',
      '\n',
      '$?',
    )
    const scripts = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const outcome = await runShell(script, { stdin: 'some\ninput\n' })
        expect(outcome.code).toBeGreaterThanOrEqual(0)
        expect(outcome.code).toBeLessThan(256)
      }),
      { numRuns: 500 },
    )
  })
})

describe('commands', () => {
  test.each([
    ['getprop ro.serialno', 'TEST0001\n'],
    ['getprop ro.product.model', 'Test phone\n'],
    ['getprop ro.build.version.sdk', '34\n'],
    ['getprop none fallback', 'fallback\n'],
    ['getprop | grep sys.boot', '[sys.boot_completed]: [1]\n'],
    ['setprop debug.x 1; getprop debug.x', '1\n'],
    ['settings put system a 5; settings get system a; settings get system b', '5\nnull\n'],
    ['wm size; wm density', 'Physical size: 540x1200\nPhysical density: 240\n'],
    ['pm list packages', 'package:com.example.notes\n'],
    ['pm path com.example.notes', 'package:/data/app/com.example.notes/base.apk\n'],
    ['cmd package list packages -f', 'package:/data/app/com.example.notes/base.apk=com.example.notes\n'],
    ['monkey -p com.example.notes -c android.intent.category.LAUNCHER 1', 'Events injected: 1\n'],
    ['date -u +%F_%T', '2026-01-02_03:04:05\n'],
    ['uiautomator dump; cat /sdcard/window_dump.xml', 'UI hierchary dumped to: /sdcard/window_dump.xml\n<hierarchy/>'],
    ["uiautomator dump '--compressed' /dev/tty", '<hierarchy/>UI hierchary dumped to: /dev/tty\n'],
    ['screencap -p', 'png'],
    ['screencap /sdcard/s.png; cat /sdcard/s.png', 'png'],
    ['whoami; id -u', 'shell\n2000\n'],
    ['echo hello | sha256sum -b', '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03\n'],
    ['mkdir -p /sdcard/a/b; cp -r /sdcard/a /sdcard/c; mv /sdcard/c /sdcard/d; ls /sdcard/d', 'b\n'],
    ['printf abc > /sdcard/f; stat -c "%s %a %F" /sdcard/f', '3 660 regular file\n'],
    ['echo aXbXc | grep -o "[a-b]X"', 'aX\nbX\n'],
    ['printf "1\\n2\\n3\\n" | tail -2', '2\n3\n'],
    [
      'dumpsys window displays | grep mCurrentFocus',
      '  mCurrentFocus=Window{7a91 u0 com.example.launcher/com.example.launcher.Launcher}\n',
    ],
    ['log -t me "a line"; logcat -d -s me:I | tail -1 | cut 2>/dev/null; logcat -d | grep -c "I me: a line"', '1\n'],
    ['tapline hash', '{"dataHash":"data-1","stateHash":"state-1"}\n'],
    ['tapline reset --seed 9; tapline state | grep -o seed.:9', '{"seed":9}\nseed":9\n'],
    ['tapline snapshot', '{"seed":1}\n'],
    [
      'tapline snapshot /sdcard/s; tapline reset --seed 5; tapline restore /sdcard/s; tapline hash',
      '{"seed":5}\n{"dataHash":"data-1","stateHash":"state-1"}\n',
    ],
    ['touch /sdcard/j; CLASSPATH=/sdcard/j app_process / com.genymobile.scrcpy.Server 3.3.3 a=b', '3.3.3 a=b'],
  ])('%s', async (script, expected) => {
    expect((await runShell(script)).stdout).toBe(expected)
  })

  test('restore takes a snapshot from stdin and refuses what is none', async () => {
    const device = createFakeDevice()
    expect(await runShell('tapline restore -', { device, stdin: '{"seed":4}\n' })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(device.machine.hashes().dataHash).toBe('data-4')
    expect(await runShell('tapline restore -', { device, stdin: 'nonsense' })).toMatchObject({
      code: 1,
      stderr: 'tapline: That is not a snapshot of a phone.\n',
    })
    expect(device.machine.hashes().dataHash).toBe('data-4')
  })

  test('input becomes events', async () => {
    const device = createFakeDevice()
    await runShell('input tap 10 20; input text a%sb; input keyevent KEYCODE_BACK 66 a; input swipe 0 0 100 200 0', {
      device,
    })
    const press = (keycode: number) => [
      { type: 'key', action: 'down', keycode, metaState: 0 },
      { type: 'key', action: 'up', keycode, metaState: 0 },
    ]
    expect(device.machine.events).toEqual([
      { type: 'pointer', action: 'down', pointerId: 0, x: 10, y: 20 },
      { type: 'pointer', action: 'up', pointerId: 0, x: 10, y: 20 },
      { type: 'text', text: 'a b' },
      ...press(4),
      ...press(66),
      ...press(29),
      { type: 'pointer', action: 'down', pointerId: 0, x: 0, y: 0 },
      { type: 'pointer', action: 'move', pointerId: 0, x: 100, y: 200 },
      { type: 'pointer', action: 'up', pointerId: 0, x: 100, y: 200 },
    ])
  })

  test('a swipe that is cut off lifts the finger without a tap', async () => {
    const device = createFakeDevice()
    const controller = new AbortController()
    const running = runShell('input swipe 0 0 100 200 50000', { device, signal: controller.signal })
    controller.abort()
    expect((await running).code).toBe(137)
    expect(device.machine.events.at(-1)).toMatchObject({ action: 'cancel' })
  })

  test.each(['input tap 1', 'input tap a b', 'input keyevent NOPE', 'input swipe 0 0 1 1 -5', 'input fly'])(
    '%s is refused and does nothing',
    async (script) => {
      const device = createFakeDevice()
      const outcome = await runShell(script, { device })
      expect(outcome.code).not.toBe(0)
      expect(outcome.stderr).not.toBe('')
      expect(device.machine.events).toEqual([])
    },
  )

  test('am starts an app and says when there is none', async () => {
    const device = createFakeDevice()
    expect(await runShell('am start -n com.example.notes/.MainActivity', { device })).toEqual({
      stdout: 'Starting: Intent { cmp=com.example.notes/.MainActivity }\n',
      stderr: '',
      code: 0,
    })
    expect(device.machine.foreground().packageName).toBe('com.example.notes')
    expect(await runShell('am start -n com.example.notes/.Other', { device })).toMatchObject({
      stderr: 'Error type 3\nError: Activity class {com.example.notes/.Other} does not exist.\n',
      code: 1,
    })
    expect(await runShell('am force-stop com.example.notes', { device })).toMatchObject({ code: 0 })
    expect(device.machine.foreground().packageName).toBe('com.example.launcher')
    expect(await runShell('am start -a android.intent.action.VIEW -d https://x.test/', { device })).toMatchObject({
      code: 1,
    })
    expect(await runShell('am broadcast -a x', { device })).toMatchObject({ code: 1 })
  })

  test('a full file system is an error, and what was there stays', async () => {
    const device = createFakeDevice({ limitBytes: 10 })
    const outcome = await runShell('echo 12345 > /sdcard/a; echo 123456789 > /sdcard/b; cat /sdcard/a', { device })
    expect(outcome).toEqual({ stdout: '12345\n', stderr: 'echo: No space left on device\n', code: 0 })
  })
})
