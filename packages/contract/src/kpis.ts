import type { Technology } from './technologies.ts'

/** In display order. They are the metric names that agents send. */
export const kpiNames = [
  'clients',
  'throughput_mbps',
  'throughput_down_mbps',
  'throughput_up_mbps',
  'latency_ms',
  'packet_loss_pct',
  'load_pct',
  'signal_quality',
  'power_w',
  'energy_uj_per_bit',
  'handovers',
] as const
export type KpiName = (typeof kpiNames)[number]

export type KpiLevel = 'good' | 'degraded' | 'bad'

/** The first values that are degraded and bad. */
export interface Thresholds {
  degraded: number
  bad: number
}

export interface Kpi {
  label: string
  /** Empty: a number without a unit. */
  unit: string
  better: 'more' | 'less' | undefined
  description: string
  /** Undefined: no value is bad by itself. */
  thresholds?: Thresholds
}

/** SNR in dB that is a signal quality of 0 and 1. */
export const signalRanges = {
  '5G': [-5, 25],
  WiFi: [5, 40],
  LiFi: [0, 40],
} as const satisfies Partial<Record<Technology, readonly [number, number]>>

export const kpis: Record<KpiName, Kpi> = {
  clients: {
    label: 'Clients',
    unit: '',
    better: undefined,
    description: 'End-user devices that are connected to the access point.',
  },
  throughput_mbps: {
    label: 'Throughput',
    unit: 'Mbit/s',
    better: 'more',
    description: 'Data delivered to and from all clients.',
  },
  throughput_down_mbps: {
    label: 'Downlink throughput',
    unit: 'Mbit/s',
    better: 'more',
    description: 'Data delivered to all clients.',
  },
  throughput_up_mbps: {
    label: 'Uplink throughput',
    unit: 'Mbit/s',
    better: 'more',
    description: 'Data received from all clients.',
  },
  latency_ms: {
    label: 'Latency',
    unit: 'ms',
    better: 'less',
    description: 'Mean round-trip time of packets of the clients.',
    thresholds: { degraded: 60, bad: 150 },
  },
  packet_loss_pct: {
    label: 'Packet loss',
    unit: '%',
    better: 'less',
    description: 'Packets of the clients that are not delivered.',
    thresholds: { degraded: 2, bad: 5 },
  },
  load_pct: {
    label: 'Load',
    unit: '%',
    better: 'less',
    description: 'Used part of the radio or optical capacity.',
    thresholds: { degraded: 80, bad: 95 },
  },
  signal_quality: {
    label: 'Signal quality',
    unit: '',
    better: 'more',
    description: 'Mean over the clients: 0 is the worst usable signal of the technology, 1 the best.',
    thresholds: { degraded: 0.3, bad: 0.1 },
  },
  power_w: {
    label: 'Power',
    unit: 'W',
    better: 'less',
    description: 'Electric power that the access point uses.',
  },
  energy_uj_per_bit: {
    label: 'Energy per bit',
    unit: 'µJ/bit',
    better: 'less',
    description: 'Power divided by throughput. It is the inverse of the energy efficiency of TS 28.554.',
  },
  handovers: {
    label: 'Handovers',
    unit: '',
    better: undefined,
    description: 'Clients that were handed over to another access point since the sample before.',
  },
}

export const isKpi = (name: string): name is KpiName => Object.hasOwn(kpis, name)

/** Undefined for a KPI without thresholds. */
export function levelOf(name: KpiName, value: number): KpiLevel | undefined {
  const { thresholds, better } = kpis[name]
  if (!thresholds) return undefined
  const reaches = (limit: number) => (better === 'more' ? value <= limit : value >= limit)
  if (reaches(thresholds.bad)) return 'bad'
  return reaches(thresholds.degraded) ? 'degraded' : 'good'
}
