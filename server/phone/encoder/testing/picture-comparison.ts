import { createHash } from 'node:crypto'
import type { I420Frame } from '../i420'

export type PlaneName = 'y' | 'u' | 'v'

const planeNames: readonly PlaneName[] = ['y', 'u', 'v']

/** SHA-256, in hex, of the visible part of each plane. */
export function hashPlanes(frame: I420Frame): Record<PlaneName, string> {
  const halfWidth = frame.width / 2
  const halfHeight = frame.height / 2
  const halfStride = frame.codedWidth / 2
  return {
    y: hashPlane(frame.y, frame.codedWidth, frame.width, frame.height),
    u: hashPlane(frame.u, halfStride, halfWidth, halfHeight),
    v: hashPlane(frame.v, halfStride, halfWidth, halfHeight),
  }
}

function hashPlane(plane: Uint8Array, stride: number, width: number, height: number): string {
  const hash = createHash('sha256')
  for (let row = 0; row < height; row++) hash.update(plane.subarray(row * stride, row * stride + width))
  return hash.digest('hex')
}

/** The planes whose visible part in `frame` is not what was decoded. */
export function differingPlanes(decoded: Record<PlaneName, string>, frame: I420Frame): PlaneName[] {
  const expected = hashPlanes(frame)
  return planeNames.filter((name) => decoded[name] !== expected[name])
}

/** Peak signal-to-noise ratio of the visible luma in dB; Infinity when equal. */
export function lumaPsnr(reference: I420Frame, frame: I420Frame): number {
  let squares = 0
  for (let row = 0; row < reference.height; row++) {
    const start = row * reference.codedWidth
    for (let index = start; index < start + reference.width; index++) {
      squares += (reference.y[index]! - frame.y[index]!) ** 2
    }
  }
  return 10 * Math.log10((255 * 255 * reference.width * reference.height) / squares)
}
