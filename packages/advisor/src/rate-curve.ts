import { signals } from './signals.ts'
import type { Technology } from './view.types.ts'

const stepDb = 2
/** New observations count this much. */
const weight = 0.02
/** Mbit/s at the lowest and at the best signal, before anything was observed: the lowest and a high scheme of each technology. */
const assumed: Record<Technology, readonly [number, number]> = {
  '5G': [15, 500],
  WiFi: [20, 600],
  LiFi: [40, 300],
}

/** The rate that a client will have with a signal, learnt from the rates that attached clients have. */
export class RateCurve {
  readonly #bins: Record<Technology, Float64Array>

  constructor() {
    const of = (technology: Technology) => {
      const { min, best } = signals[technology]
      const [low, high] = assumed[technology]
      const count = Math.ceil((best - min) / stepDb) + 1
      return Float64Array.from({ length: count }, (_, n) => low + ((high - low) * n) / (count - 1))
    }
    this.#bins = { '5G': of('5G'), WiFi: of('WiFi'), LiFi: of('LiFi') }
  }

  learn(technology: Technology, signal: number, rateMbps: number): void {
    const bins = this.#bins[technology]
    const bin = binOf(technology, signal, bins.length)
    bins[bin] = (bins[bin] as number) + weight * (rateMbps - (bins[bin] as number))
  }

  rateOf(technology: Technology, signal: number): number {
    const bins = this.#bins[technology]
    return bins[binOf(technology, signal, bins.length)] as number
  }
}

function binOf(technology: Technology, signal: number, count: number): number {
  const bin = Math.floor((signal - signals[technology].min) / stepDb)
  return Math.min(count - 1, Math.max(0, bin))
}
