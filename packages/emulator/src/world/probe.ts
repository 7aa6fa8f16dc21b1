import { fiveGErrors, fiveGGainDb, fiveGRateMbps, sinrOf } from '../radio/five-g.ts'
import { gainOf, lifiErrors, lifiRateMbps, opticalSnr } from '../radio/lifi.ts'
import { noLink } from '../radio/link.ts'
import type { Link } from '../radio/types.ts'
import { fourth, fromDb, toDb } from '../radio/units.ts'
import { bandOf, setScheme, wifiGainDb, wifiNoiseDbm } from '../radio/wifi.ts'
import type { AccessPoint } from './access-point.ts'
import { fiveG, wifi } from './parameters.ts'

/** The link of a device half-way to the edge of the ground: what an access point without clients reports as its signal. */
export function typicalLink(accessPoint: AccessPoint): Link {
  const { radio, txPowerDbm, channel, moment, technology } = accessPoint
  const metres = radio.traits.ground.radiusM / 2
  link.mcs = 0
  link.clear = 1
  if (technology === fiveG) {
    link.signal = txPowerDbm + fiveGGainDb(accessPoint, metres, 0, 0).gainDb
    const sinr = sinrOf(fromDb(link.signal), 0)
    link.snr = toDb(sinr)
    link.rate = fiveGRateMbps(sinr)
    link.errors = fiveGErrors(link.snr)
  } else if (technology === wifi) {
    link.signal = txPowerDbm + wifiGainDb(accessPoint, metres, 0, 0)
    setScheme(link, link.signal - wifiNoiseDbm(moment.neighbours, bandOf(channel)), bandOf(channel))
    return link
  } else {
    const gain = gainOf(metres * metres) * (moment.beamBlocked ? blocked : 1)
    const snr = opticalSnr(fromDb(txPowerDbm - 30) * gain, 0, 0, accessPoint.ambientLux)
    link.signal = toDb(gain)
    link.snr = toDb(Math.max(snr, 1e-3))
    link.rate = lifiRateMbps(snr)
    link.errors = lifiErrors(link.snr)
    link.clear = moment.beamBlocked ? 0 : 1
  }
  link.lost = fourth(link.errors)
  return link
}

/** As for the clients of a luminaire with an obstacle. */
const blocked = 0.002
const link = noLink()
