/** Metric names that access points of all three technologies send. */
export const metricNames = [
  'clients',
  'throughput_dl_mbps',
  'throughput_ul_mbps',
  'latency_ms',
  'jitter_ms',
  'packet_loss_pct',
  'rssi_dbm',
  'snr_db',
  'noise_floor_dbm',
  'channel_utilisation_pct',
  'airtime_pct',
  'tx_power_dbm',
  'retry_rate_pct',
  'tx_errors',
  'rx_errors',
  'cpu_usage_pct',
  'memory_usage_pct',
  'temperature_c',
  'power_w',
  'illuminance_lux',
]

const steps = 1009

/** Prepared payload members: each metric is a random walk, as measurements are. */
const members = metricNames.map((name, metric) => {
  let value = 50
  let seed = metric + 1
  return Array.from({ length: steps }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    value = Math.min(99, Math.max(1, value + (seed % 601) / 100 - 3))
    return `"${name}":${value.toFixed(2)}`
  })
})

/** The samples of the second before this time, at equal intervals. */
export function messageText(
  tsMs: number,
  { agent, round, metrics, samples }: { agent: number; round: number; metrics: number; samples: number },
): string {
  if (samples === 1) return sampleText(tsMs, agent, round, metrics)
  const texts = Array.from({ length: samples }, (_, n) => {
    const ageMs = Math.floor(((samples - 1 - n) * 1000) / samples)
    return sampleText(tsMs - ageMs, agent, round * samples + n, metrics)
  })
  return `{"samples":[${texts.join(',')}]}`
}

/** With 20 metrics about 450 bytes. Values differ from sample to sample and from agent to agent. */
export function sampleText(tsMs: number, agent: number, round: number, metrics: number): string {
  let payload = ''
  for (let metric = 0; metric < metrics; metric++)
    payload += `${metric === 0 ? '' : ','}${members[metric]?.[(agent * 17 + metric * 53 + round) % steps]}`
  return `{"ts":${tsMs},"payload":{${payload}}}`
}
