import { expect, test } from 'vitest'
import { createLogger } from './log'

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  write(createLogger('test', { write: (line) => (text += line) }))
  return text
}

const token = 'n_-rYz7w84FAOF9H6jrtCyVhyCeOCjbcR_436x6e-D4'

test.each([
  ['a link', `GET /enter/${token} failed`],
  ['a token in a query', `GET /s?x=1&t=${token}`],
  ['a bearer token', `sent Bearer ${token} along`],
  ['an API key', `key sk-${token}`],
  ['a database address', `postgres://tapline:${token}@127.0.0.1:5432/tapline`],
])('leaves %s out of messages, fields and errors', (_what, text) => {
  for (const write of [
    (log: ReturnType<typeof createLogger>) => log.info(text),
    (log: ReturnType<typeof createLogger>) => log.info({ url: text, nested: [{ text }] }, 'hello'),
    (log: ReturnType<typeof createLogger>) => log.error({ err: new Error(text, { cause: new Error(text) }) }, 'failed'),
  ]) {
    const line = logged(write)
    expect(line).not.toContain(token)
    expect(line).toContain('…')
    expect(() => JSON.parse(line) as unknown).not.toThrow()
  }
})

test.each(['authorization', 'Cookie', 'set-cookie', 'token', 'agentToken', 'apiKey', 'api_key', 'key', 'password'])(
  'leaves the field %s out at any depth',
  (name) => {
    const line = logged((log) => log.info({ [name]: 'hidden', request: { headers: { [name]: 'hidden' } } }, 'hello'))
    expect(line).not.toContain('hidden')
    expect(line).toContain('[redacted]')
  },
)

test('keeps what only sounds like a secret', () => {
  const line = logged((log) =>
    log.info({ inputTokens: 12, jobKey: 'episode', keyboard: 'qwerty' }, 'entered /episodes'),
  )
  expect(JSON.parse(line)).toMatchObject({ inputTokens: 12, jobKey: 'episode', keyboard: 'qwerty', level: 'info' })
})
