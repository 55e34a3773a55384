import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readEnvironment } from './env'

// `ProcessEnv` asks for NODE_ENV.
const read = (variables: Record<string, string>) => readEnvironment({ NODE_ENV: 'test', ...variables })

test('has defaults for everything', () => {
  expect(read({})).toMatchObject({
    host: '127.0.0.1',
    port: 4300,
    gatewayPort: 4301,
    phonePorts: [5611, 5613],
    deviceAddresses: [],
    dataFolder: resolve('.tapline'),
    databaseUrl: null,
    publicHosts: [],
    hasConfiguredSecret: false,
    logLevel: 'info',
  })
})

test('reads lists and takes an empty one for none', () => {
  const environment = read({
    TAPLINE_PHONES: '',
    TAPLINE_DEVICES: '10.0.0.5:5555, [::1]:5556',
    TAPLINE_PUBLIC_HOSTS: 'Tapline.Example,lab:8080',
    TAPLINE_PORT: '',
    TAPLINE_GATEWAY_PORT: '9000',
  })
  expect(environment).toMatchObject({
    phonePorts: [],
    deviceAddresses: ['10.0.0.5:5555', '[::1]:5556'],
    publicHosts: ['tapline.example', 'lab:8080'],
    port: 4300,
    gatewayPort: 9000,
  })
})

test.each([
  ['TAPLINE_PORT', '0'],
  ['TAPLINE_PORT', 'four'],
  ['TAPLINE_PORT', '65536'],
  ['TAPLINE_GATEWAY_PORT', '-1'],
  ['TAPLINE_PHONES', '5611,5557'],
  ['TAPLINE_PHONES', '5611;5613'],
  ['TAPLINE_DEVICES', 'emulator-5554; rm -rf /'],
  ['TAPLINE_PUBLIC_HOSTS', 'http://a'],
  ['TAPLINE_HOST_ID', 'a b'],
  ['TAPLINE_SECRET', 'short'],
  ['TAPLINE_LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://x'],
])('refuses %s=%s and names it', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(name)
})

test.each(['0.0.0.0', '::', '192.168.1.5', 'tapline.lan'])('does not bind %s without a secret', (host) => {
  expect(() => read({ TAPLINE_HOST: host })).toThrow(/TAPLINE_HOST.*TAPLINE_SECRET/)
  expect(read({ TAPLINE_HOST: host, TAPLINE_SECRET: 'sixteen letters!' }).host).toBe(host)
})

test.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost'])('binds %s without a secret', (host) => {
  expect(read({ TAPLINE_HOST: host }).host).toBe(host)
})
