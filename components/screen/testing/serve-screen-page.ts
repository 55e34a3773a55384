import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { pipeUpgrade } from '@/server/platform/web/pipe-upgrade'

const folder = fileURLToPath(new URL('..', import.meta.url))
/** What Tailwind would make of the classes that matter for size and place. */
const styles = `* { box-sizing: border-box; margin: 0 } .relative { position: relative } .absolute { position: absolute }
.inset-0 { inset: 0 } .size-full { width: 100%; height: 100% } .h-full { height: 100% } .block { display: block }
.touch-none { touch-action: none }`

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${folder}${entry}`],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: { compilerOptions: { paths: { '@/*': ['./*'] } } },
    alias: { '@': fileURLToPath(new URL('../../..', import.meta.url)) },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Serves the test page, and hands `/ws/*` to the gateway as the web server does. */
export async function serveScreenPage(gateway: { port: number }) {
  const scripts = new Map([
    ['/page.js', await bundle('testing/screen-page.tsx')],
    // Next's bundler replaces this address; here the worker lies where the page's script asks for it.
    ['/decoder.worker.ts', await bundle('decoder.worker.ts')],
  ])
  const upgraded = new Set<Socket>()
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '/'
    const script = scripts.get(path)
    if (script !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><style>${styles}</style><body><script type="module" src="/page.js"></script>`)
  })
  server.on('upgrade', (request, socket: Socket, head) => {
    const upstream = pipeUpgrade(request, socket, head, gateway)
    upgraded.add(upstream)
    upstream.once('close', () => upgraded.delete(upstream))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** As when the network breaks. */
    dropConnections: () => {
      for (const socket of upgraded) socket.destroy()
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of upgraded) socket.destroy()
      server.closeAllConnections()
      await closed
    },
  }
}
