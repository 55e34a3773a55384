import { createPrivateKey, createPublicKey, type KeyObject, publicDecrypt, randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { formatBanner } from '@/server/wire/adb/banner'
import { adbCommands, adbMaxPayloadBytes, AdbPacketParser, adbVersion, encodeAdbPacket } from '@/server/wire/adb/packet'

const authTypes = { token: 1, signature: 2, publicKey: 3 } as const

/**
 * An adb daemon that lets in who signs its token with a key it trusts, and asks (here: takes) the public key of anyone
 * else, as a phone with USB debugging does. The token is signed as if it were a SHA-1 digest.
 */
export async function startGuardedDevice() {
  const trusted: KeyObject[] = []
  const letInBy: string[] = []
  const server = createServer((socket) => {
    const token = randomBytes(20)
    const parser = new AdbPacketParser()
    const ask = () =>
      socket.write(encodeAdbPacket({ command: adbCommands.AUTH, arg0: authTypes.token, arg1: 0, payload: token }))
    const letIn = (how: string) => {
      letInBy.push(how)
      const banner = formatBanner({
        kind: 'device',
        properties: { 'ro.product.model': 'Guarded' },
        features: ['shell_v2'],
      })
      const payload = Buffer.from(banner)
      socket.write(encodeAdbPacket({ command: adbCommands.CNXN, arg0: adbVersion, arg1: adbMaxPayloadBytes, payload }))
    }
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const { command, arg0, payload } of parser.push(chunk)) {
        if (command === adbCommands.CNXN) ask()
        else if (command !== adbCommands.AUTH) socket.destroy()
        else if (arg0 === authTypes.publicKey) letIn('public key')
        else if (trusted.some((key) => publicDecrypt(key, payload).subarray(-20).equals(token))) letIn('signature')
        else ask()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    address: `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    letInBy,
    trust(pkcs8: Uint8Array): void {
      const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
      trusted.push(createPublicKey(key))
    },
    close: () => void server.close(),
  }
}
