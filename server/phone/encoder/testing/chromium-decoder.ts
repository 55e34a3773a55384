import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { chromiumArguments } from '@/server/platform/testing/chromium-arguments'

/** What Chromium made of one access unit: the visible picture, its planes as SHA-256 in hex. */
export type DecodedPicture = {
  width: number
  height: number
  format: string | null
  matrix: string | null
  isFullRange: boolean | null
  y: string
  u: string
  v: string
}

export type ChromiumDecoder = {
  /** Starts a new stream with a fresh decoder. Rejects when Chromium does not support the codec. */
  begin(codec: string): Promise<void>
  /**
   * Decodes one Annex-B access unit and resolves with its picture; a key unit must start with its parameter sets.
   * Never flushes: a stream that makes the decoder wait for the next unit makes this wait too.
   */
  decode(data: Uint8Array, isKey: boolean): Promise<DecodedPicture>
  close(): Promise<void>
}

export const chromiumPath = process.env['TAPLINE_CHROMIUM'] ?? '/usr/bin/chromium'

type PageState = {
  decoder: VideoDecoder | null
  timestamp: number
  settle: { resolve(frame: VideoFrame): void; reject(error: unknown): void } | null
}

declare global {
  interface Window {
    taplineDecoder?: PageState
  }
}

/** A foreign decoder for tests: headless Chromium's WebCodecs on a page from a local server. */
export async function openChromiumDecoder(): Promise<ChromiumDecoder> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: chromiumArguments,
  })
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>decoder</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const page = await browser.newPage()
  // WebCodecs and crypto.subtle exist on trustworthy origins only, which localhost is.
  await page.goto(`http://localhost:${port}/`)

  async function close(): Promise<void> {
    await browser.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  return {
    begin: (codec) => page.evaluate(beginInPage, codec),
    decode: (data, isKey) => page.evaluate(decodeInPage, { base64: Buffer.from(data).toString('base64'), isKey }),
    close,
  }
}

async function beginInPage(codec: string): Promise<void> {
  window.taplineDecoder?.decoder?.close()
  const state: PageState = { decoder: null, timestamp: 0, settle: null }
  window.taplineDecoder = state
  const config: VideoDecoderConfig = { codec, optimizeForLatency: true, hardwareAcceleration: 'prefer-software' }
  const { supported } = await VideoDecoder.isConfigSupported(config)
  if (supported !== true) throw new Error(`This Chromium does not decode ${codec}.`)
  state.decoder = new VideoDecoder({
    output(frame) {
      if (state.settle) state.settle.resolve(frame)
      else frame.close()
    },
    error(error) {
      state.settle?.reject(error)
    },
  })
  state.decoder.configure(config)
}

async function decodeInPage(unit: { base64: string; isKey: boolean }): Promise<DecodedPicture> {
  const state = window.taplineDecoder
  if (!state?.decoder) throw new Error('Call begin first.')
  const { decoder } = state
  const data = Uint8Array.from(atob(unit.base64), (character) => character.charCodeAt(0))
  const timestamp = state.timestamp++
  const frame = await new Promise<VideoFrame>((resolve, reject) => {
    state.settle = { resolve, reject }
    decoder.decode(new EncodedVideoChunk({ type: unit.isKey ? 'key' : 'delta', timestamp, data }))
  })
  state.settle = null
  if (frame.timestamp !== timestamp) throw new Error(`Got picture ${frame.timestamp} for unit ${timestamp}.`)
  const { width, height } = frame.visibleRect ?? { width: 0, height: 0 }
  const bytes = new Uint8Array(frame.allocationSize())
  const layout = await frame.copyTo(bytes)
  const hashes: string[] = []
  for (const [index, plane] of layout.entries()) {
    const planeWidth = index === 0 ? width : width / 2
    const planeHeight = index === 0 ? height : height / 2
    const packed = new Uint8Array(planeWidth * planeHeight)
    for (let row = 0; row < planeHeight; row++) {
      const start = plane.offset + row * plane.stride
      packed.set(bytes.subarray(start, start + planeWidth), row * planeWidth)
    }
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', packed))
    hashes.push(Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''))
  }
  const picture = {
    width,
    height,
    format: frame.format,
    matrix: frame.colorSpace.matrix,
    isFullRange: frame.colorSpace.fullRange,
    y: hashes[0] ?? '',
    u: hashes[1] ?? '',
    v: hashes[2] ?? '',
  }
  frame.close()
  return picture
}
