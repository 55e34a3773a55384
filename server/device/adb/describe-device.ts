import type { Adb } from '@yume-chan/adb'
import { TaplineError } from '@/server/platform/errors'
import type { DeviceDescription } from '../contract'
import { runShell } from './run-shell'

const virtualManufacturer = 'Tapline'
const longestName = 200

/** Asks a device who it is. Throws TaplineError `unavailable` when it does not tell its serial number. */
export async function describeDevice(adb: Adb, options: { signal?: AbortSignal } = {}): Promise<DeviceDescription> {
  const property = async (name: string) => {
    const { stdout } = await runShell(adb, ['getprop', name], options)
    return printable(stdout)
  }
  const serial = await property('ro.serialno')
  if (serial === '') {
    throw new TaplineError('unavailable', `The device at ${adb.serial} does not tell its serial number (ro.serialno).`)
  }
  const model = (await property('ro.product.model')) || 'Android'
  const name = (await property('ro.tapline.name')) || model
  const isVirtual = (await property('ro.product.manufacturer')) === virtualManufacturer
  return { serial, name, model, kind: isVirtual ? 'simulated' : 'android' }
}

/** A device's text goes to the database and the screen: no control characters (Postgres refuses NUL), no novels. */
function printable(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, longestName)
}
