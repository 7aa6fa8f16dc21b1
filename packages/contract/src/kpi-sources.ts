import { type KpiName, signalRanges } from './kpis.ts'
import type { Technology } from './technologies.ts'

/** The value of the KPI is `factor` × the value that was sent + `offset`. */
export interface Conversion {
  factor: number
  offset: number
}

/** A metric of a standard that agents may send instead of a KPI: one value of one sample is enough to convert it. */
export interface KpiSource {
  name: string
  standard: string
  unit: string
  toKpi: Conversion
  /** Only of access points of this technology; undefined: of all. */
  technology?: Technology
}

const times = (factor: number): Conversion => ({ factor, offset: 0 })
const same = times(1)
/** TS 28.552 has ratios as a number per million. */
const perMillion = times(1e-4)
/** One octet for 0 to 100 %. */
const ofOctet = times(100 / 255)

const fromSnr = (name: string, standard: string): KpiSource[] =>
  (Object.keys(signalRanges) as (keyof typeof signalRanges)[]).map((technology) => {
    const [worst, best] = signalRanges[technology]
    const toKpi = { factor: 1 / (best - worst), offset: -worst / (best - worst) }
    return { name, standard, unit: 'dB', toKpi, technology }
  })

/**
 * In order of preference: the KPI itself, then the first of these that a sample has. Left out are metrics that need a
 * second value or sample: counters, distributions, and levels in dBm or RCPI, which say nothing without the noise.
 */
export const kpiSources: Partial<Record<KpiName, readonly KpiSource[]>> = {
  clients: [
    { name: 'RRC.ConnMean', standard: 'TS 28.552', unit: '', toKpi: same },
    { name: 'AssociatedDeviceNumberOfEntries', standard: 'TR-181', unit: '', toKpi: same },
    { name: 'num-associated-clients', standard: 'OpenConfig', unit: '', toKpi: same },
  ],
  latency_ms: [
    { name: 'DRB.AirIfDelayDl', standard: 'TS 28.552', unit: '0.1 ms', toKpi: times(0.1) },
    { name: 'AverageResponseTime', standard: 'TR-181', unit: 'ms', toKpi: same },
    { name: 'avg-delay', standard: 'OpenConfig', unit: 'µs', toKpi: times(1e-3) },
  ],
  packet_loss_pct: [
    { name: 'DRB.PacketLossRateUu', standard: 'TS 28.552', unit: 'per million', toKpi: perMillion },
    { name: 'DRB.RlcPacketDropRateDl', standard: 'TS 28.552', unit: 'per million', toKpi: perMillion },
    { name: 'loss-percentage', standard: 'OpenConfig', unit: '%', toKpi: same },
  ],
  load_pct: [
    { name: 'RRU.PrbTotDl', standard: 'TS 28.552', unit: '%', toKpi: same },
    { name: 'RRU.PrbTotUl', standard: 'TS 28.552', unit: '%', toKpi: same },
    { name: 'Radio.Utilization', standard: 'TR-181', unit: '0 to 255', toKpi: ofOctet },
    { name: 'total-channel-utilization', standard: 'OpenConfig', unit: '%', toKpi: same },
  ],
  signal_quality: [
    ...fromSnr('snr', 'OpenConfig'),
    ...fromSnr('snr_db', ''),
    { name: 'cqi', standard: 'TS 38.214', unit: '0 to 15', toKpi: times(1 / 15), technology: '5G' },
  ],
  power_w: [
    { name: 'PEE.AvgPower', standard: 'TS 28.552', unit: 'W', toKpi: same },
    { name: 'PowerSensor.Power', standard: 'TR-181', unit: 'W', toKpi: same },
    { name: 'used-power', standard: 'OpenConfig', unit: 'W', toKpi: same },
  ],
}

/** One metric of a sample that is a KPI, or can be converted to it. */
export interface FoundKpi {
  kpi: KpiName
  /** Position of the metric in the sample. */
  at: number
  toKpi: Conversion
}

/** The metrics among these names that are KPIs of an access point of this technology: at most one of each KPI. */
export function findKpis(
  names: readonly string[],
  technology: Technology,
  wanted: readonly KpiName[],
): FoundKpi[] {
  const spelled = names.map(spelling)
  return wanted.flatMap((kpi) => {
    const own = names.indexOf(kpi)
    if (own >= 0) return [{ kpi, at: own, toKpi: same }]
    for (const source of kpiSources[kpi] ?? []) {
      if (source.technology !== undefined && source.technology !== technology) continue
      const at = spelled.indexOf(spelling(source.name))
      if (at >= 0) return [{ kpi, at, toKpi: source.toKpi }]
    }
    return []
  })
}

/** Nested objects become names with `_`, and agents replace dots and dashes in different ways: they are the same name. */
const spelling = (name: string) => name.replaceAll(/[.\-/]/g, '_')
