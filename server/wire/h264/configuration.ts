import { nalType, nalTypes, splitNalUnits } from '@/server/wire/h264/annex-b'
import { parseSps, type Sps } from '@/server/wire/h264/sps'
import { WireError } from '@/server/wire/wire-error'

/** The parameter sets of a scrcpy configuration packet. Units are views, without start codes. */
export type H264Configuration = { sps: Sps; spsUnit: Uint8Array; ppsUnit: Uint8Array }

/** Reads the first SPS and PPS of Annex B bytes. Throws WireError when one is missing or the SPS is broken. */
export function parseConfiguration(annexB: Uint8Array): H264Configuration {
  const units = splitNalUnits(annexB)
  const spsUnit = units.find((unit) => nalType(unit) === nalTypes.sps)
  const ppsUnit = units.find((unit) => nalType(unit) === nalTypes.pps)
  if (spsUnit === undefined) throw new WireError('H.264 configuration has no SPS')
  if (ppsUnit === undefined) throw new WireError('H.264 configuration has no PPS')
  return { sps: parseSps(spsUnit), spsUnit, ppsUnit }
}

/** Returns the WebCodecs codec string of a configuration, such as `avc1.42C01F`. Throws as `parseConfiguration`. */
export function codecOf(annexB: Uint8Array): string {
  return parseConfiguration(annexB).sps.codec
}
