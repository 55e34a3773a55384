import { WireError } from '@/server/wire/wire-error'

const bannerKinds = ['device', 'host', 'recovery', 'rescue', 'sideload', 'bootloader'] as const
export type AdbBannerKind = (typeof bannerKinds)[number]

export type AdbBanner = { kind: AdbBannerKind; properties: Record<string, string>; features: string[] }

/**
 * Returns the payload text of CNXN: `kind::key=value;…;features=a,b` (a host sends only features). `adb devices -l`
 * needs `ro.product.name`, `ro.product.model` and `ro.product.device`. Throws WireError for a text that would break the
 * list: the format has no escapes, and adb also cuts the banner at every colon.
 */
export function formatBanner(banner: AdbBanner): string {
  const fields = Object.entries(banner.properties).map(([key, value]) => {
    if (/[:;=\0]/.test(key) || key === '' || key === 'features') {
      throw new WireError(`banner property name '${key}' is not allowed`)
    }
    if (/[:;\0]/.test(value)) throw new WireError(`banner property ${key} contains ':', ';' or NUL: '${value}'`)
    return `${key}=${value}`
  })
  for (const feature of banner.features) {
    if (!/^[^:;,\0]+$/.test(feature)) throw new WireError(`banner feature '${feature}' is not allowed`)
  }
  if (banner.features.length > 0) fields.push(`features=${banner.features.join(',')}`)
  return `${banner.kind}::${fields.join(';')}`
}

/**
 * Reads a CNXN payload. Older ends close the text with NUL or ';', and put a serial number between the colons: all are
 * accepted and dropped, as is a field without '='. Throws WireError when the text does not start with a known kind.
 */
export function parseBanner(text: string): AdbBanner {
  const match = /^([a-z]+):[^:]*:([^\0]*)\0*$/.exec(text)
  const kind = bannerKinds.find((known) => known === match?.[1])
  if (match === null || kind === undefined) throw new WireError(`adb banner '${text.slice(0, 80)}' is not understood`)
  const entries = (match[2] ?? '')
    .split(';')
    .filter((field) => field.includes('='))
    .map((field): [string, string] => {
      const separator = field.indexOf('=')
      return [field.slice(0, separator), field.slice(separator + 1)]
    })
  const features = entries.filter(([key]) => key === 'features').flatMap(([, value]) => value.split(','))
  return {
    kind,
    properties: Object.fromEntries(entries.filter(([key]) => key !== 'features')),
    features: features.filter((feature) => feature !== ''),
  }
}
