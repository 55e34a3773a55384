/**
 * Where the versions of scrcpy's video stream differ. Source: upstream `Streamer.java` and `doc/develop.md` at 3.3.3
 * and 4.1. Reading one with the other's bits turns every key frame into a wrong time.
 */
export type VideoDialect = {
  /** Bit of the packet header's first u64 that marks a configuration (SPS and PPS). The time is in the bits below. */
  configurationBit: bigint
  keyBit: bigint
  /** Bit that marks a size instead of a packet, or null when the size stands once behind the codec. */
  sessionBit: bigint | null
}

/** scrcpy 2.0 to 3.3.4: codec, width and height once; a rotation is seen only as a new configuration. */
export const videoDialect3: VideoDialect = { configurationBit: 1n << 63n, keyBit: 1n << 62n, sessionBit: null }

/** scrcpy 4.0 and 4.1: codec once, then a 12-byte size packet at the start and at each restart of the capture. */
export const videoDialect4: VideoDialect = {
  configurationBit: 1n << 62n,
  keyBit: 1n << 61n,
  sessionBit: 1n << 63n,
}
