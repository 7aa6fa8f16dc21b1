import { signalRanges } from '@manc/contract/kpis'
import { landscape } from './random.ts'
import type { Link, Moment, Outcome, Radio, Traits } from './types.ts'
import { clamp, fourth, fromDb, rounded, thermalNoiseDbmPerHz, toDb } from './units.ts'

/** An access point of 802.11ax with two antennas in an office, neighbours of the same network all around. */
const antennaDbi = 3
const ceilingM = 1.5
const noiseFigureDb = 7
const streams = 2
/** Walls and cabinets: IEEE 802.11-03/940r4 (TGn), model D. Correlated over TR 38.901's distance for offices. */
const shadowing = { db: 5, overM: 6 }

export interface Band {
  widthMhz: number
  lossAtOneMetreDb: number
  noiseDbm: number
  /** Data tones of a channel of this width, IEEE 802.11ax-2021 section 27.5. */
  tones: number
  /** Decibels for each tenfold distance, ITU-R P.1238 table 2, office. */
  perDecade: number
}
const bands = {
  low: makeBand(2442, 20, { tones: 234, perDecade: 30 }),
  high: makeBand(5500, 80, { tones: 980, perDecade: 31 }),
}

function makeBand(mhz: number, widthMhz: number, more: Pick<Band, 'tones' | 'perDecade'>): Band {
  const noiseDbm = thermalNoiseDbmPerHz + toDb(widthMhz * 1e6) + noiseFigureDb
  return { widthMhz, noiseDbm, lossAtOneMetreDb: lossAtOneMetreDb(mhz), ...more }
}

/** Up to channel 13 it is 2.4 GHz and 20 MHz wide, beyond it 5 GHz and 80 MHz. */
export function bandOf(channel: number): Band {
  return channel <= 13 ? bands.low : bands.high
}

/** Log distance, ITU-R P.1238: 20 log10(MHz) + N log10(m) - 28 on one floor, in dB; from 1 m on. */
export function lossAtOneMetreDb(mhz: number): number {
  return 2 * toDb(mhz) - 28
}

export function indoorLossDb(distanceM: number, { lossAtOneMetreDb: first, perDecade }: Band): number {
  return first + (perDecade / 10) * toDb(Math.max(1, distanceM))
}

/**
 * IEEE 802.11ax-2021: bits of a symbol with their coding (section 27.5), and the signal in dBm that a receiver of 20 MHz
 * needs for at most one error in ten (receiver minimum input sensitivity; IEEE's table is for any number of streams).
 */
const schemes = [
  { bits: 1 / 2, sensitivityDbm: -82 },
  { bits: 2 / 2, sensitivityDbm: -79 },
  { bits: (2 * 3) / 4, sensitivityDbm: -77 },
  { bits: 4 / 2, sensitivityDbm: -74 },
  { bits: (4 * 3) / 4, sensitivityDbm: -70 },
  { bits: (6 * 2) / 3, sensitivityDbm: -66 },
  { bits: (6 * 3) / 4, sensitivityDbm: -65 },
  { bits: (6 * 5) / 6, sensitivityDbm: -64 },
  { bits: (8 * 3) / 4, sensitivityDbm: -59 },
  { bits: (8 * 5) / 6, sensitivityDbm: -57 },
  { bits: (10 * 3) / 4, sensitivityDbm: -54 },
  { bits: (10 * 5) / 6, sensitivityDbm: -52 },
].map(({ bits, sensitivityDbm }) => ({
  bits,
  // Those figures are for a noise figure of 10 dB (IEEE 802.11-2020 section 17.3.10.2): so much over the noise.
  snrDb: sensitivityDbm - (thermalNoiseDbmPerHz + toDb(20e6) + 10),
}))

/** The best scheme for which the signal is enough; the lowest where none is. */
export function mcsOf(snrDb: number): number {
  let mcs = schemes.length - 1
  while (mcs > 0 && snrDb < (schemes[mcs]?.snrDb ?? 0)) mcs -= 1
  return mcs
}

/** A symbol takes 12.8 us and its guard 0.8 us. */
export function phyRateMbps(mcs: number, { tones }: Pick<Band, 'tones'>): number {
  return (tones * (schemes[mcs]?.bits ?? 0) * streams) / 13.6
}

/** What preambles, acknowledgements, gaps and back-off leave of the air, with aggregated frames (A-MPDU). */
const airtimePart = 0.65

/**
 * The chance that a transmission of one of n stations that always have something to send collides: the fixed point of
 * Bianchi (2000), with a window of 16 that doubles six times.
 */
export function collisionsOf(stations: number): number {
  const others = clamp(stations - 1, 0, collisions.length - 2)
  const below = Math.floor(others)
  const from = collisions[below] ?? 0
  return from + ((collisions[below + 1] ?? 0) - from) * (others - below)
}

const collisions = Array.from({ length: 65 }, (_, others) => {
  const window = 16
  const doublings = 6
  let low = 0
  let high = 0.999
  for (let step = 0; step < 40; step++) {
    const chance = (low + high) / 2
    // Written so that nothing is divided by 1 - 2 chance, which may be 0.
    let sum = 0
    for (let doubling = 0; doubling < doublings; doubling++) sum += (2 * chance) ** doubling
    const sends = 2 / (1 + window + chance * window * sum)
    if (1 - (1 - sends) ** others > chance) low = chance
    else high = chance
  }
  return low
})

/**
 * Linear in airtime (Serrano et al. 2015, Per-frame energy consumption in 802.11 devices): the idle device, its
 * processing while it is on the air, and a power amplifier for each antenna with an efficiency of one eighth.
 */
const watts = { idle: 6.5, processing: 3, amplifiers: 8 }

export function wifiWatts(txPowerDbm: number, airtime: number): number {
  return watts.idle + airtime * (watts.processing + watts.amplifiers * streams * fromDb(txPowerDbm - 30))
}

const traits: Traits = {
  ground: { radiusM: 16, legS: 600, slowestMps: 0.5, fastestMps: 1.4 },
  baseMs: 4,
  turnMs: 2,
  queueCapacity: 80,
  quality: signalRanges.WiFi,
  txPowerDbm: { min: 0, usual: 17, max: 23 },
  channels: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    .concat([36, 40, 44, 48, 52, 56, 60, 64])
    .concat([100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144])
    .concat([149, 153, 157, 161]),
  standbyW: 3,
}
const beacons = 0.01

export class WiFi implements Radio {
  readonly traits = traits

  watts(moment: Moment, { load }: Outcome): number {
    return wifiWatts(moment.txPowerDbm, load * (1 - this.#others(moment)))
  }

  measure(moment: Moment, mean: Link, { clients, load }: Outcome): Record<string, number> {
    const band = bandOf(moment.channel)
    const others = this.#others(moment)
    const airtime = Math.min(1 - others, beacons + load * (1 - others))
    // Stations with something to send: the access point itself, its clients, and neighbours.
    const stations = 1 + 0.15 * load * Math.min(clients, 30) + 2 * others
    const collided = collisionsOf(stations)
    return {
      rssi_dbm: rounded(mean.signal, 1),
      snr_db: rounded(mean.snr, 1),
      noise_dbm: rounded(wifiNoiseDbm(moment.neighbours, band), 1),
      channel_width_mhz: band.widthMhz,
      channel_utilisation_pct: rounded(100 * (airtime + others), 1),
      airtime_pct: rounded(100 * airtime, 1),
      retry_rate_pct: rounded(100 * (1 - (1 - collided) * (1 - mean.errors)), 1),
      phy_rate_mbps: rounded(phyRateMbps(Math.round(mean.mcs), band), 1),
      mcs: Math.round(mean.mcs),
    }
  }

  /** Neighbours on the channel take up to half of the air of 5 GHz, and more of 2.4 GHz, which is more crowded. */
  #others({ channel, neighbours }: Moment): number {
    return neighbours * airtimeOfNeighbours(channel)
  }
}

/** Transmitters below the carrier-sense threshold still raise the noise floor. */
export function wifiNoiseDbm(neighbours: number, { noiseDbm }: Band): number {
  return noiseDbm + toDb(1 + Math.min(1, neighbours))
}

/** Writes what the best scheme for this SNR achieves into `link`; returns the decibels that it has to spare. */
export function setScheme(link: Link, snr: number, band: Band): number {
  const mcs = mcsOf(snr)
  const spare = snr - (schemes[mcs]?.snrDb ?? 0)
  link.snr = snr
  link.mcs = mcs
  // One in ten at the edge of a scheme, by the definition of sensitivity, and ten times fewer 5 dB above it.
  link.errors = clamp(0.1 * fromDb(-2 * spare), 0.001, 0.8)
  // Six retries.
  link.lost = fourth(link.errors) * link.errors * link.errors * link.errors
  link.rate = phyRateMbps(mcs, band) * airtimePart * (1 - link.errors)
  return spare
}

/**
 * Gain from an access point to a device in dB, with the shadowing of the place: RSSI is the sent power plus this. `x` and `y`
 * are relative to the access point, `floors` is the number of floors between them.
 */
export function wifiGainDb(
  { seed, channel }: { seed: number; channel: number },
  x: number,
  y: number,
  floors: number,
): number {
  const up = ceilingM + floorM * floors
  const loss = indoorLossDb(Math.sqrt(x * x + y * y + up * up), bandOf(channel))
  const shadow = shadowing.db * landscape(seed + 1, x / shadowing.overM, y / shadowing.overM)
  return antennaDbi - loss - shadow - floorLossDb(floors)
}
const floorM = 3

/** ITU-R P.1238 table 3, office: 15 + 4 (n - 1) dB for n floors. */
export function floorLossDb(floors: number): number {
  return floors > 0 ? 15 + 4 * (floors - 1) : 0
}

/** The part of the air that `neighbours` of 1 take: neighbours on the channel, of which 2.4 GHz has more. */
export function airtimeOfNeighbours(channel: number): number {
  return channel <= 13 ? 0.7 : 0.45
}
