import type { BssStatus } from './link.ts'

/** Reachable, same security and key scope as far as is known; no capabilities are claimed. */
const bssidInformation = '8f000000'
/** HT and VHT [IEEE 802.11, dot11PHYType]. */
const phyHt = 7
const phyVht = 9

/** Operating classes for 20 MHz [IEEE 802.11, Annex E, global]: first channel, last channel, class. */
const fiveGhz: [number, number, number][] = [
  [36, 48, 115],
  [52, 64, 118],
  [100, 144, 121],
  [149, 161, 124],
  [165, 177, 125],
]

/** Of a BSS that has no report of its own: enough for a station to find it. Undefined for other bands. */
export function reportOf({ bssid, channel, frequencyMhz }: BssStatus): string | undefined {
  if (channel === undefined || frequencyMhz === undefined) return undefined
  const isLow = frequencyMhz < 2500
  const operatingClass = isLow
    ? 81
    : fiveGhz.find(([first, last]) => channel >= first && channel <= last)?.[2]
  if (operatingClass === undefined || frequencyMhz > 5900) return undefined
  const octets = [operatingClass, channel, isLow ? phyHt : phyVht].map((octet) =>
    octet.toString(16).padStart(2, '0'),
  )
  return `${bssid.replaceAll(':', '').toLowerCase()}${bssidInformation}${octets.join('')}`
}

/** Subelement 3, BSS transition candidate preference: the highest [IEEE 802.11, 9.4.2.35]. */
const highestPreference = '0301ff'

export const preferred = (report: string): string => `${report}${highestPreference}`

/** As `bss_tm_req` of hostapd_cli takes it: BSSID, information, operating class, channel, PHY type, subelements. */
export function neighbourArgument(report: string): string {
  const bytes = Buffer.from(report, 'hex')
  const bssid = bytes
    .subarray(0, 6)
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1:')
  const information = `0x${bytes.readUInt32LE(6).toString(16).padStart(8, '0')}`
  const rest = [...bytes.subarray(10, 13)].join(',')
  const subelements = preferred(bytes.subarray(13).toString('hex'))
  return `${bssid},${information},${rest},${subelements}`
}

export const isReport = (text: string): boolean => /^([0-9a-f]{2}){13,}$/i.test(text) && text.length <= 512
