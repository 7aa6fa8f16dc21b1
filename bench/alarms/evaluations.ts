import { setTimeout as sleep } from 'node:timers/promises'

export interface Evaluation {
  /** Of all rules, until the receiver of the alerts has answered. */
  seconds: number
  /** Alerts that were sent. */
  alerts: number
}

const pollMs = 50

interface Counters {
  evaluations: number
  seconds: number
  alerts: number
}

/** Follows what vmalert measures about itself. */
export class Evaluations {
  readonly #url: string
  #seen: Counters | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** The next evaluation that ends from now on. The first call counts from when vmalert was started. */
  async next(timeoutMs = 120_000): Promise<Evaluation> {
    this.#seen ??= { evaluations: 0, seconds: 0, alerts: 0 }
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(pollMs)) {
      const before = this.#seen
      const now = await this.#read()
      if (now.evaluations <= before.evaluations) continue
      this.#seen = now
      return {
        seconds: (now.seconds - before.seconds) / (now.evaluations - before.evaluations),
        alerts: (now.alerts - before.alerts) / (now.evaluations - before.evaluations),
      }
    }
    throw new Error(`vmalert has evaluated nothing for ${timeoutMs} ms`)
  }

  async #read(): Promise<Counters> {
    const text = await (await fetch(`${this.#url}/metrics`)).text()
    const total = (name: string, labels = '') =>
      [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      )
    // Without the heartbeat, which is a group of its own.
    const group = 'group="manc"'
    return {
      evaluations: total('vmalert_iteration_duration_seconds_count', group),
      seconds: total('vmalert_iteration_duration_seconds_sum', group),
      alerts: total('vmalert_alerts_sent_total'),
    }
  }
}
