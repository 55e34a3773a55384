import { startTestPostgres } from './test-server'

/** For vitest's `globalSetup`: one server for the whole run, found by the workers through the environment. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startTestPostgres()
  process.env['TAPLINE_TEST_POSTGRES'] = server.url
  return async () => {
    delete process.env['TAPLINE_TEST_POSTGRES']
    await server.stop()
  }
}
