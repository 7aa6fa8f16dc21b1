import { signalRanges } from '@manc/contract/kpis'
import { exponential, mix, unit } from './random.ts'
import type { Link, Moment, Outcome, Radio, Traits } from './types.ts'
import { clamp, fromDb, rounded } from './units.ts'

/** A luminaire in the ceiling of an office whose light carries data; desks beneath, other luminaires all around. */
export const overDeskM = 2.15
const halfAngle = Math.PI / 4
/** Order of the Lambertian emission, -ln 2 / ln cos of the half-power angle (Kahn and Barry 1997). */
const order = -Math.LN2 / Math.log(Math.cos(halfAngle))

/** A photodiode of 1 cm2 with a concentrator of index 1.5, as in Komine and Nakagawa (2004), table 1. */
const area = 1e-4
const fieldOfView = Math.PI / 3
const concentrator = 1.5 ** 2 / Math.sin(fieldOfView) ** 2
const responsivity = 0.54
/** Phosphor is too slow to carry data: a blue filter passes what is fast (Le Minh et al. 2009). */
const filter = 0.3
/** RMS of the modulated light as a part of its mean. */
const modulation = 0.3
const bandwidthHz = 40e6
/** Peaks that the LED cannot follow are cut off, and what is cut off is noise (Dimitrov and Haas 2012): taken as 40 dB below. */
const clipping = 1e-4

/**
 * Gain of the direct path, Kahn and Barry (1997): (m + 1) A / (2 pi d2) cos^m(phi) Ts g cos(psi), with
 * receivers that lie flat, so that both angles are the same; nothing from outside the field of view.
 */
export function gainOf(squaredM: number): number {
  const direct = squaredM + overDeskM * overDeskM
  const cosine = overDeskM / Math.sqrt(direct)
  if (cosine < minCosine) return 0
  return (beneath / direct) * Math.exp((order + 1) * Math.log(cosine))
}

/** The gain with which light of so many watts arrives with this SNR: what `opticalSnr` says without another luminaire, reversed. */
export function gainOfSnr(snrDb: number, sentW: number, ambientLux: number): number {
  const wanted = fromDb(snrDb)
  let low = 0
  let high = gainOf(0)
  for (let step = 0; step < 40; step++) {
    const gain = (low + high) / 2
    if (opticalSnr(sentW * gain, 0, 0, ambientLux) < wanted) low = gain
    else high = gain
  }
  return high
}

const minCosine = Math.cos(fieldOfView)
const beneath = (((order + 1) * area) / (2 * Math.PI)) * filter * concentrator

/** Lumens in a watt of white light, of LED and of daylight. */
const lumensOfLed = 300
const lumensOfDaylight = 110

/** On the desk right beneath, in lux: luminous intensity over the squared distance. */
export function illuminanceOf(opticalW: number): number {
  return (opticalW * lumensOfLed * (order + 1)) / (2 * Math.PI * overDeskM * overDeskM)
}

/**
 * Noise in A2 (Komine and Nakagawa 2004): shot noise of all light that falls on the photodiode, and
 * thermal noise of its load and of the amplifier.
 */
export function noiseOf(receivedW: number, ambientLux: number): number {
  const charge = 1.602e-19
  const ambientW = (ambientLux / lumensOfDaylight) * area * filter * concentrator
  return 2 * charge * responsivity * (receivedW + ambientW * noiseFactor2) * bandwidthHz + thermalNoise
}
const noiseFactor2 = 0.562
const thermalNoise = (() => {
  const kelvins = 1.381e-23 * 295
  const gain = 10
  const capacitance = 112e-12 * (area / 1e-4)
  const channelNoise = 1.5
  const transconductance = 30e-3
  const noiseFactor3 = 0.0868
  return (
    ((8 * Math.PI * kelvins) / gain) * capacitance * noiseFactor2 * bandwidthHz ** 2 +
    ((16 * Math.PI ** 2 * kelvins * channelNoise) / transconductance) *
      capacitance ** 2 *
      noiseFactor3 *
      bandwidthHz ** 3
  )
})()

/**
 * Shannon for light, which cannot be negative: 1/2 log2(1 + e / 2 pi SNR) for each real symbol (the lower bound of
 * Lapidoth, Moser and Wigger 2009), of which DCO-OFDM sends two a second and hertz, as any real signal can; no more than
 * the 12 bits a symbol of ITU-T G.9991 can use, and a quarter is for the protocol.
 */
export function lifiRateMbps(snr: number): number {
  return (0.75 * bandwidthHz * Math.log2(1 + (Math.E / (2 * Math.PI)) * Math.min(snr, maxUsefulSnr))) / 1e6
}
const maxUsefulSnr = fromDb(36)
const minSnrDb = 5

/**
 * Of the light in watts that a photodiode receives from its luminaire and from another one. Noise and interference are powers
 * of currents, so squares of light.
 */
export function opticalSnr(receivedW: number, rivalW: number, overlap: number, ambientLux: number): number {
  const current = responsivity * modulation * receivedW
  const rivalCurrent = responsivity * modulation * rivalW
  const noise = noiseOf(receivedW + rivalW, ambientLux)
  const signal = current * current
  return signal / (noise + rivalCurrent * rivalCurrent * overlap + signal * clipping)
}

export function lifiErrors(snrDb: number): number {
  return clamp(0.02 + 0.06 * (minSnrDb + 5 - snrDb), 0.02, 0.8)
}

/** Reflection by walls when the direct path is blocked: taken as 13 dB less, a bright office. */
const reflected = 0.05

/** People walk through the beam: in each 30 s with this chance, for 2 s in the mean. */
const passing = { everyS: 30, chance: 0.25, meanS: 2, longestS: 12 }

/**
 * The LED turns 35 % of its power into light, and its driver loses a tenth. Data ride on light that shines anyway: traffic
 * costs the modem alone.
 */
const watts = { efficiency: 0.35 * 0.9, modemIdle: 3, modemBusy: 4 }

export function lifiWatts(txPowerDbm: number, load: number): number {
  return (
    fromDb(txPowerDbm - 30) / watts.efficiency + watts.modemIdle + (watts.modemBusy - watts.modemIdle) * load
  )
}

const traits: Traits = {
  ground: { radiusM: 1.9, legS: 900, slowestMps: 0.3, fastestMps: 1 },
  baseMs: 3,
  turnMs: 1.2,
  queueCapacity: 80,
  quality: signalRanges.LiFi,
  // Mean optical power: 10 W are 3000 lm.
  txPowerDbm: { min: 27, usual: 40, max: 41.5 },
  // Four parts of the modulation band, of which neighbours should have different ones.
  channels: [1, 2, 3, 4],
  standbyW: 0.5,
}

export class LiFi implements Radio {
  readonly traits = traits
  /** How much of the daylight comes to the desk, EN 17037: 2 % near windows. */
  readonly #daylightPart: number

  constructor(seed: number) {
    this.#daylightPart = 0.003 + 0.02 * unit(mix(seed, 1))
  }

  watts(moment: Moment, { load }: Outcome): number {
    return lifiWatts(moment.txPowerDbm, load)
  }

  measure(moment: Moment, mean: Link): Record<string, number> {
    const ambient = this.#ambient(moment)
    const sent = fromDb(moment.txPowerDbm - 30)
    return {
      snr_db: rounded(mean.snr, 1),
      los_gain_db: rounded(mean.signal, 1),
      line_of_sight_pct: rounded(100 * mean.clear, 0),
      blockage: moment.beamBlocked ? 1 : 0,
      illuminance_lux: rounded(illuminanceOf(sent) * (moment.beamBlocked ? reflected : 1) + ambient, 0),
      ambient_light_lux: rounded(ambient, 0),
      optical_power_mw: rounded(1000 * sent, 0),
    }
  }

  #ambient({ daylight }: Moment): number {
    return this.ambientOf(daylight)
  }

  /** Illuminance by daylight at the receivers, in lux. */
  ambientOf(daylight: number): number {
    return daylight * this.#daylightPart
  }
}

/** Start and duration are drawn for each time slot, so any moment can be computed separately. */
export function isPersonInBeam(device: number, { s, people }: Pick<Moment, 's' | 'people'>): boolean {
  const slots = s / passing.everyS
  const slot = Math.floor(slots)
  if (unit(mix(device, slot, 5)) >= passing.chance * people) return false
  const takesS = Math.min(passing.longestS, passing.meanS * exponential(mix(device, slot, 6)))
  const fromS = unit(mix(device, slot, 7)) * (passing.everyS - takesS)
  const intoS = (slots - slot) * passing.everyS - fromS
  return intoS >= 0 && intoS < takesS
}
