import { lossOf, roundsOf } from '../radio/queue.ts'
import { drift, mix } from '../radio/random.ts'
import { clamp, rounded } from '../radio/units.ts'
import type { AccessPoint } from './access-point.ts'

/** Senders slow down when packets are lost (TCP): more than this part of the capacity is not offered for long. */
const maxOffered = 1.1
/** Without a backhaul only attempts to connect are sent, and they time out. */
export const cutOff = { load: 0.02, goodput: 0.001, minMs: 1500, maxMs: 3000, minLoss: 0.96 }

/** What an access point measures in this second, with the names of an isolated cell. */
export function sampleOf(accessPoint: AccessPoint, s: number): Record<string, number> | undefined {
  const { scene, isOn, radio, moment, mean, clients } = accessPoint
  if (scene.hasFailed || s >= accessPoint.spec.durationS) return undefined
  if (!isOn) return silence(accessPoint)
  const { traits } = radio
  const wanted = accessPoint.needed / accessPoint.available
  const queued = Math.min(wanted, maxOffered)
  const dropped = lossOf(queued, traits.queueCapacity)
  const jitter = drift(mix(accessPoint.seed, 5), s)
  let load = accessPoint.load
  let loss = 1 - (1 - dropped) * (1 - mean.lost)
  let latency =
    traits.baseMs * (0.9 + 0.4 * jitter * jitter) +
    traits.turnMs * roundsOf(queued, traits.queueCapacity) * (1 + mean.errors)
  if (scene.backhaulCut) {
    load = Math.min(load, cutOff.load)
    loss = cutOff.minLoss + (1 - cutOff.minLoss) * jitter
    latency = cutOff.minMs + (cutOff.maxMs - cutOff.minMs) * jitter
  }
  const [worst, best] = traits.quality
  const outcome = { clients, load }
  const sample = radio.measure(moment, mean, outcome)
  sample['clients'] = clients
  sample['throughput_mbps'] = rounded(accessPoint.deliveredMbps, 2)
  sample['latency_ms'] = rounded(latency, 1)
  sample['packet_loss_pct'] = rounded(100 * loss, 2)
  sample['load_pct'] = rounded(100 * load, 1)
  sample['signal_quality'] = rounded(clamp((mean.snr - worst) / (best - worst), 0, 1), 3)
  sample['power_w'] = rounded(radio.watts(moment, outcome), 2)
  sample['tx_power_dbm'] = accessPoint.txPowerDbm
  sample['channel'] = accessPoint.channel
  sample['uptime_s'] = Math.floor(s - accessPoint.bootedS)
  sample['handovers'] = accessPoint.handedOver
  return sample
}

/** Off, asleep, or booting: there is nothing to measure. */
function silence({ powered, asleep, radio, moment }: AccessPoint): Record<string, number> {
  const idle = radio.watts({ ...moment, neighbours: 0 }, { clients: 0, load: 0 })
  return {
    clients: 0,
    throughput_mbps: 0,
    latency_ms: 0,
    packet_loss_pct: 0,
    load_pct: 0,
    signal_quality: 0,
    power_w: rounded(powered && !asleep ? idle : radio.traits.standbyW, 2),
    uptime_s: 0,
    handovers: 0,
  }
}
