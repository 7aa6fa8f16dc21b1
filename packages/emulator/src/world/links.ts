import { fiveGErrors, fiveGRateMbps, sinrOf } from '../radio/five-g.ts'
import { lifiErrors, lifiRateMbps, opticalSnr } from '../radio/lifi.ts'
import type { Link } from '../radio/types.ts'
import { fourth, fromDb, toDb } from '../radio/units.ts'
import { bandOf, setScheme, wifiNoiseDbm } from '../radio/wifi.ts'
import type { AccessPoint } from './access-point.ts'
import type { Attachments } from './attachment.ts'
import { type Candidates, firstSlots, slots } from './candidates.ts'
import { fiveG, lifi, policies, slotCounts, wifi } from './parameters.ts'

interface World {
  accessPoints: readonly AccessPoint[]
  candidates: Candidates
  attachments: Attachments
}

/** Leaks from one part of the modulation band into another: 17 dB less. */
const leak = 0.02
/** Below it the lowest scheme of 802.11ax has no connection: 3 dB under its sensitivity. */
const minSpareDb = -3

/** The link of a client to the access point that it is attached to, written into `link`. */
export function writeLink(world: World, client: number, s: number, link: Link): void {
  const { accessPoints, attachments } = world
  const accessPoint = accessPoints[attachments.serving[client] as number] as AccessPoint
  link.mcs = 0
  link.clear = 0
  const signal = attachments.signal[client] as number
  const isUsable = signal >= (policies[accessPoint.technology] as (typeof policies)[0]).min
  if (!isUsable || (attachments.slot[client] as number) < 0) {
    const [worst] = accessPoint.radio.traits.quality
    link.signal = Math.max(signal, accessPoint.technology === fiveG ? -156 : -95)
    link.snr = worst
    link.rate = 0
    link.errors = 0.6
    link.lost = fourth(0.6)
    return
  }
  switch (accessPoint.technology) {
    case fiveG:
      return writeFiveG(world, client, accessPoint, link)
    case wifi:
      return writeWifi(world, client, accessPoint, link)
    default:
      return writeLifi(world, client, accessPoint, s, link)
  }
}

/** Cells on the same carrier interfere in proportion to their load in the second before (synchronisation signals always do). */
function writeFiveG(
  { accessPoints, candidates, attachments }: World,
  client: number,
  own: AccessPoint,
  link: Link,
) {
  const rsrp = attachments.signal[client] as number
  const from = client * slots
  let interference = 0
  for (let slot = from; slot < from + slotCounts[fiveG]; slot++) {
    const index = candidates.accessPoints[slot] as number
    if (index < 0) break
    const other = accessPoints[index] as AccessPoint
    if (other === own || !other.isOn || other.channel !== own.channel) continue
    interference += fromDb(other.txPowerDbm + (candidates.gains[slot] as number)) * (0.05 + 0.95 * other.load)
  }
  const sinr = sinrOf(fromDb(rsrp), interference)
  link.signal = Math.max(-156, rsrp)
  link.snr = Math.max(-23, toDb(sinr))
  link.rate = fiveGRateMbps(sinr)
  link.errors = fiveGErrors(link.snr)
  link.lost = fourth(link.errors)
  link.clear = candidates.isClear[attachments.slot[client] as number] as number
}

function writeWifi({ attachments }: World, client: number, own: AccessPoint, link: Link): void {
  const rssi = attachments.signal[client] as number
  const band = bandOf(own.channel)
  link.signal = rssi
  const spare = setScheme(link, rssi - wifiNoiseDbm(own.moment.neighbours, band), band)
  if (spare < minSpareDb) link.rate = 0
}

/** Luminaires of the same room interfere in proportion to their load, fully on the same part of the band. */
function writeLifi(world: World, client: number, own: AccessPoint, s: number, link: Link): void {
  const { accessPoints, candidates, attachments } = world
  const from = client * slots + firstSlots[lifi]
  const sent = (one: AccessPoint) => fromDb(one.txPowerDbm - 30)
  let rivalW = 0
  let overlap = 0
  for (let slot = from; slot < from + slotCounts[lifi]; slot++) {
    const index = candidates.accessPoints[slot] as number
    if (index < 0) break
    const other = accessPoints[index] as AccessPoint
    if (other === own || !other.isOn) continue
    const watts = sent(other) * (candidates.gains[slot] as number)
    if (watts <= rivalW) continue
    rivalW = watts
    overlap = (other.channel === own.channel ? 1 : leak) * other.load
  }
  const gain = candidates.gains[attachments.slot[client] as number] as number
  const light = attachments.light.partOf(client, own.index, s)
  const snr = opticalSnr(sent(own) * gain * light, rivalW, overlap, own.ambientLux)
  link.signal = toDb(Math.max(gain * light, 1e-9))
  link.snr = toDb(Math.max(snr, 1e-3))
  link.rate = lifiRateMbps(snr)
  link.errors = lifiErrors(link.snr)
  link.lost = fourth(link.errors)
  link.clear = light === 1 ? 1 : 0
}
