import { signalRanges } from '@manc/contract/kpis'
import { landscape, mix, unit } from './random.ts'
import type { Link, Moment, Outcome, Radio, Traits } from './types.ts'
import { clamp, fromDb, rounded, thermalNoiseDbmPerHz, toDb } from './units.ts'

/**
 * A 5G micro cell in a street canyon: band n78, 100 MHz of 30 kHz subcarriers (273 resource blocks, TS 38.104 table
 * 5.3.2-1), neighbours of the same operator on the same carrier all around.
 */
const subcarrierHz = 30_000
const subcarriers = 273 * 12
const subcarriersDb = toDb(subcarriers)
const bandwidthMhz = (subcarriers * subcarrierHz) / 1e6
const stationM = 10
const deviceM = 1.5
/** One element, TR 38.901 table 7.3-1. */
const antennaDbi = 8
/** Of one subcarrier, in a device with a noise figure of 9 dB (TR 38.802 table A.2.1-1), in mW. */
const noise = fromDb(thermalNoiseDbmPerHz + toDb(subcarrierHz) + 9)
/** No transmitter is perfect: the error vector of 3.5 % that 256QAM allows (TS 38.104 table 6.5.2.2-1). */
const imperfection = 0.035 ** 2

/** Standard deviations of TR 38.901 table 7.4.1-1 and distances of table 7.5-6 over which they are correlated. */
const shadowing = { losDb: 4, nlosDb: 7.82, overM: 12 }
/** Line of sight changes from street to street: TR 38.901 table 7.6.3.1-2. */
const lineOfSightOverM = 50
/** Half of the shadowing is the place's own and the same towards every site: a correlation of 0.5, TR 36.942. */
const ownPart = Math.SQRT1_2

const height = stationM - deviceM

/** TR 38.901 table 7.4.1-1, UMi - street canyon, in dB; from 10 m on. */
export function lossWithSightDb(distanceM: number, frequencyGhz: number): number {
  const flat = Math.max(10, distanceM)
  const directDb = toDb(flat * flat + height * height) / 2
  // Heights are over an effective ground at 1 m.
  const breakpoint = (4 * (stationM - 1) * (deviceM - 1) * frequencyGhz * 1e9) / 3e8
  const loss = 32.4 + 2 * toDb(frequencyGhz)
  if (flat <= breakpoint) return loss + 2.1 * directDb
  return loss + 4 * directDb - 0.95 * toDb(breakpoint * breakpoint + height * height)
}

/** The same without sight; devices are held at 1.5 m, so its term for their height is 0. */
export function lossWithoutSightDb(distanceM: number, frequencyGhz: number): number {
  const flat = Math.max(10, distanceM)
  const loss = lossAtOneMetreDb(frequencyGhz) + (exponent * toDb(flat * flat + height * height)) / 2
  return Math.max(loss, lossWithSightDb(distanceM, frequencyGhz))
}
const exponent = 3.53

function lossAtOneMetreDb(frequencyGhz: number): number {
  return 22.4 + 2.13 * toDb(frequencyGhz)
}

/** TR 38.901 table 7.4.2-1. */
export function chanceOfSight(distanceM: number): number {
  return distanceM <= 18 ? 1 : 18 / distanceM + Math.exp(-distanceM / 36) * (1 - 18 / distanceM)
}

/** Into a building with ordinary windows, the low-loss model of TR 38.901 table 7.4.3-2, without the way inside. */
export function lossIntoBuildingDb(frequencyGhz: number): number {
  const glass = 2 + 0.2 * frequencyGhz
  const concrete = 5 + 4 * frequencyGhz
  return 5 - toDb(0.3 * fromDb(-glass) + 0.7 * fromDb(-concrete))
}
const insideDbPerM = 0.5
const deepestInsideM = 10

/**
 * Shannon, attenuated and truncated: bits per second and hertz are 0.6 log2(1 + SINR), nothing below -10 dB (TR 36.942
 * annex A.2), and no more than at 30 dB, where 256QAM ends, as studies of NR take it (TR 38.803).
 */
export function efficiencyOf(sinr: number): number {
  if (sinr < 0.1) return 0
  return 0.6 * Math.log2(1 + Math.min(sinr, 1000))
}

/** Of a frame of DDDSU, with ten of the fourteen symbols of S. */
const downlinkPart = (3 + 10 / 14) / 5

/** With two antennas: one layer, or two with half of the power each, whichever is more. */
export function fiveGRateMbps(sinr: number): number {
  return bandwidthMhz * downlinkPart * Math.max(efficiencyOf(sinr), 2 * efficiencyOf(sinr / 2))
}

/** Of what is received and of the interference, both in mW of one subcarrier. */
export function sinrOf(received: number, interference: number): number {
  return received / (interference + noise + received * imperfection)
}

/** Link adaptation aims at one in ten, and has nowhere to go below its lowest scheme. HARQ tries four times. */
export function fiveGErrors(snrDb: number): number {
  return clamp(0.1 - 0.1 * (snrDb + 6), 0.1, 0.6)
}

/** The loss into a building for a device: none where it is outdoors. Indoors, some devices are deeper inside. */
export function insideLossDb(device: number, isInside: boolean): number {
  return isInside ? usualIntoBuildingDb + insideDbPerM * deepestInsideM * unit(mix(device, 4)) : 0
}
const usualIntoBuildingDb = lossIntoBuildingDb(3.5)

/**
 * Gain from an antenna to a device in dB, for one subcarrier: RSRP is the sent power plus this. `x` and `y` are relative to
 * the antenna; `common` is the part of the shadowing that the place has towards every site, standard normal.
 */
export function fiveGGainDb(
  { seed, channel }: { seed: number; channel: number },
  x: number,
  y: number,
  common: number,
): Sight {
  const ghz = frequencyOfArfcn(channel)
  const distance = Math.sqrt(x * x + y * y)
  const street = mix(seed, Math.floor(x / lineOfSightOverM), Math.floor(y / lineOfSightOverM))
  const own = ownPart * (common + landscape(seed + 2, x / shadowing.overM, y / shadowing.overM))
  sight.isClear = unit(street) < chanceOfSight(distance)
  const loss = sight.isClear
    ? lossWithSightDb(distance, ghz) + shadowing.losDb * own
    : lossWithoutSightDb(distance, ghz) + shadowing.nlosDb * own
  sight.gainDb = antennaDbi - subcarriersDb - loss
  return sight
}

interface Sight {
  gainDb: number
  isClear: boolean
}
/** Read before the next call, to avoid allocations. */
const sight: Sight = { gainDb: 0, isClear: false }

/** The part of the shadowing that a place has towards every site: standard normal. */
export function commonShadow(seed: number, x: number, y: number): number {
  return landscape(seed, x / shadowing.overM, y / shadowing.overM)
}

/**
 * RSRQ is N RSRP / RSSI (TS 38.215 section 5.1.3): of the 12 subcarriers of a block, synchronisation signals keep a
 * quarter busy where RSSI is measured, and traffic the others.
 */
export function rsrqDb(sinr: number, load: number): number {
  return -toDb(12 * (0.25 + 0.75 * load + 1 / sinr))
}

/**
 * The EARTH model (Auer et al. 2011, How much energy is needed to run a wireless network?, table 2), of a micro base
 * station: in each of two transceivers 56 W and 2.6 W for each watt that it sends, 39 W asleep.
 */
const earth = { transceivers: 2, idleW: 56, slope: 2.6, asleepW: 39 }
/** Synchronisation and system information, sent also without clients. */
const signallingPart = 0.05

export function fiveGWatts(txPowerDbm: number, load: number): number {
  const sentW =
    (fromDb(txPowerDbm - 30) / earth.transceivers) * (signallingPart + (1 - signallingPart) * load)
  return earth.transceivers * (earth.idleW + earth.slope * sentW)
}

const traits: Traits = {
  ground: { radiusM: 185, legS: 240, slowestMps: 0.7, fastestMps: 1.7 },
  baseMs: 9,
  turnMs: 1,
  queueCapacity: 120,
  quality: signalRanges['5G'],
  // Twice 6.3 W.
  txPowerDbm: { min: 20, usual: 41, max: 41 },
  // NR-ARFCN of 3450, 3550 and 3650 MHz.
  channels: [630_000, 636_666, 643_332],
  standbyW: earth.transceivers * earth.asleepW,
}

/** TS 38.104 section 5.4.2.1. */
export function frequencyOfArfcn(arfcn: number): number {
  return 3 + (arfcn - 600_000) * 0.000_015
}

export class FiveG implements Radio {
  readonly traits = traits

  watts(moment: Moment, { load }: Outcome): number {
    return fiveGWatts(moment.txPowerDbm, load)
  }

  measure(moment: Moment, mean: Link, { clients, load }: Outcome): Record<string, number> {
    return {
      rsrp_dbm: rounded(mean.signal, 1),
      rsrq_db: rounded(rsrqDb(fromDb(mean.snr), load), 1),
      sinr_db: rounded(mean.snr, 1),
      // TS 38.214 table 5.2.2.1-3: 15 steps of about 2 dB.
      cqi: Math.round(clamp(1 + (mean.snr + 6) / 2, 1, 15)),
      bler_pct: rounded(100 * mean.errors, 1),
      prb_utilisation_pct: rounded(100 * (signallingPart + (1 - signallingPart) * load), 1),
      connected_ues: clients,
      line_of_sight_pct: rounded(100 * mean.clear, 0),
      frequency_mhz: rounded(1000 * frequencyOfArfcn(moment.channel), 0),
    }
  }
}
