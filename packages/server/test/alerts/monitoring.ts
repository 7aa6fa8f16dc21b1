import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closedPort } from '@manc/harness'
import { shortenRules } from '../../../../tools/monitoring/short-rules.ts'

const shippedRules = path.join(import.meta.dirname, '../../../../deploy/prometheus/manc.rules.yml')
const pollIntervalMs = 200

export interface FiringAlert {
  name: string
  labels: Record<string, string>
}

/** A time at which an alert started or stopped firing. */
interface Change extends FiringAlert {
  isFiring: boolean
  at: number
}

/**
 * The monitoring of an operator: vmagent scrapes, an own VictoriaMetrics stores, vmalert evaluates the shipped rules
 * with all durations divided. Keeps the times at which alerts fired and resolved.
 */
export class Monitoring {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'manc-alerts-'))
  readonly #programs: ChildProcess[] = []
  readonly #changes: Change[] = []
  readonly #stopping = new AbortController()
  #notified: Server | undefined
  #alertsUrl = ''
  #firing = new Map<string, FiringAlert>()
  #polling: Promise<void> | undefined

  async start(options: { targets: Record<string, string>; divisor: number }): Promise<void> {
    const scrapeFile = this.#write('scrape.yml', scrapeConfig(options.targets))
    const rules = shortenRules(readFileSync(shippedRules, 'utf8'), options.divisor)
    const rulesFile = this.#write('rules.yml', rules)
    // In the place of Alertmanager: vmalert needs one.
    this.#notified = createServer((request, response) => request.resume().once('end', () => response.end()))
    const notifierPort = await closedPort()
    this.#notified.listen(notifierPort, '127.0.0.1')
    const store = await this.#run('victoria-metrics', [
      `-storageDataPath=${this.#folder}/data`,
      '-search.latencyOffset=0s',
    ])
    await this.#run('vmagent', [
      `-promscrape.config=${scrapeFile}`,
      `-remoteWrite.url=${store}/api/v1/write`,
      `-remoteWrite.tmpDataPath=${this.#folder}/queue`,
      '-remoteWrite.flushInterval=200ms',
    ])
    this.#alertsUrl = await this.#run('vmalert', [
      `-rule=${rulesFile}`,
      `-datasource.url=${store}`,
      '-datasource.queryTimeAlignment=false',
      '-evaluationInterval=500ms',
      `-notifier.url=http://127.0.0.1:${notifierPort}`,
    ])
    this.#polling = this.#poll()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const program of this.#programs) program.kill('SIGKILL')
    this.#notified?.close()
    rmSync(this.#folder, { recursive: true, force: true })
    await this.#polling
  }

  get firing(): FiringAlert[] {
    return [...this.#firing.values()]
  }

  isFiring(alert: FiringAlert): boolean {
    return this.firing.some((each) => fits(each, alert))
  }

  /** When it fired for the first time. */
  firedAt(alert: FiringAlert): number | undefined {
    return this.#changes.find((each) => each.isFiring && fits(each, alert))?.at
  }

  /** When it last stopped firing. */
  resolvedAt(alert: FiringAlert): number | undefined {
    return this.#changes.findLast((each) => !each.isFiring && fits(each, alert))?.at
  }

  /** All that started to fire since then. */
  firedSince(time: number): FiringAlert[] {
    return this.#changes.filter(({ isFiring, at }) => isFiring && at >= time)
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const response = await fetch(`${this.#alertsUrl}/api/v1/alerts`, { signal })
        this.#record(((await response.json()) as AlertsResponse).data.alerts ?? [])
      } catch (error) {
        if (!signal.aborted) throw error
      }
      await sleep(pollIntervalMs)
    }
  }

  #record(alerts: NonNullable<AlertsResponse['data']['alerts']>): void {
    const at = Date.now()
    const firing = new Map<string, FiringAlert>()
    for (const { name, labels, state } of alerts)
      if (state === 'firing') firing.set(`${name} ${JSON.stringify(labels)}`, { name, labels })
    for (const [key, alert] of firing)
      if (!this.#firing.has(key)) this.#changes.push({ ...alert, isFiring: true, at })
    for (const [key, alert] of this.#firing)
      if (!firing.has(key)) this.#changes.push({ ...alert, isFiring: false, at })
    this.#firing = firing
  }

  #write(name: string, text: string): string {
    const file = path.join(this.#folder, name)
    writeFileSync(file, text)
    return file
  }

  /** Returns its URL once it answers. */
  async #run(program: string, parameters: string[]): Promise<string> {
    const port = await closedPort()
    const url = `http://127.0.0.1:${port}`
    const child = spawn(program, [...parameters, `-httpListenAddr=127.0.0.1:${port}`], { stdio: 'ignore' })
    this.#programs.push(child)
    let failure: string | undefined
    child.once('error', ({ message }) => (failure = message))
    child.once('exit', (code) => (failure = `it ended with ${code}`))
    for (;;) {
      if (failure !== undefined) throw new Error(`${program} cannot be started: ${failure}`)
      if (
        await fetch(`${url}/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return url
      await sleep(50)
    }
  }
}

interface AlertsResponse {
  /** Null without any. */
  data: { alerts: { name: string; state: string; labels: Record<string, string> }[] | null }
}

const fits = (alert: FiringAlert, expected: FiringAlert): boolean =>
  alert.name === expected.name &&
  Object.entries(expected.labels).every(([label, value]) => alert.labels[label] === value)

/** One target for each process, with its name as instance. */
function scrapeConfig(targets: Record<string, string>): string {
  const configs = Object.entries(targets).map(
    ([instance, host]) => `  - targets: ["${host}"]\n    labels: { instance: ${instance} }\n`,
  )
  return `scrape_configs:\n- job_name: manc\n  scrape_interval: 2s\n  static_configs:\n${configs.join('')}`
}
