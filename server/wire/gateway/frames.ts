/**
 * Binary messages from the gateway to its clients. Big-endian, one message a WebSocket frame.
 *
 * | offset | field |
 * |---|---|
 * | 0 | kind u8: 1 configuration, 2 frame |
 * | 1 | flags u8: bit 0 key frame |
 * | 2 | width u16 (px) |
 * | 4 | height u16 (px) |
 * | 6 | frame number u32, counted from 0 since the scrcpy session began; of a configuration the number of the next frame |
 * | 10 | presentation time u64 (µs, the device's clock) |
 * | 18 | H.264 Annex-B bytes: SPS and PPS of a configuration, one access unit of a frame |
 */
export const frameHeaderBytes = 18

export type GatewayFrame = {
  kind: 'configuration' | 'frame'
  isKey: boolean
  width: number
  height: number
  frameNumber: number
  ptsUs: bigint
  data: Uint8Array
}

/** Returns the message bytes of a frame. */
export function encodeGatewayFrame(frame: GatewayFrame): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(frameHeaderBytes + frame.data.length)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, frame.kind === 'configuration' ? 1 : 2)
  view.setUint8(1, frame.isKey ? 1 : 0)
  view.setUint16(2, frame.width)
  view.setUint16(4, frame.height)
  view.setUint32(6, frame.frameNumber)
  view.setBigUint64(10, frame.ptsUs)
  bytes.set(frame.data, frameHeaderBytes)
  return bytes
}

/** Reads one message; throws RangeError on a short or unknown one. `data` is a view into `bytes`. */
export function decodeGatewayFrame(bytes: Uint8Array): GatewayFrame {
  if (bytes.length < frameHeaderBytes) throw new RangeError(`gateway frame of ${bytes.length} bytes is too short`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kind = view.getUint8(0)
  if (kind !== 1 && kind !== 2) throw new RangeError(`gateway frame of unknown kind ${kind}`)
  return {
    kind: kind === 1 ? 'configuration' : 'frame',
    isKey: (view.getUint8(1) & 1) === 1,
    width: view.getUint16(2),
    height: view.getUint16(4),
    frameNumber: view.getUint32(6),
    ptsUs: view.getBigUint64(10),
    data: bytes.subarray(frameHeaderBytes),
  }
}
