import path from 'node:path'
import {
  compareWithStore,
  type FleetAgent,
  type LoadProcess,
  readSampleLog,
  startLoad,
} from '@manc/harness/load'
import type { Deployment } from './deployment.ts'
import { stores } from './health.ts'
import type { History } from './history.ts'
import { recordSamples, recordStored } from './recorded-samples.ts'
import { waitFor, within } from './wait.ts'

export const metrics = 5
const overMqtt = 30
const overHttp = 5
const connectS = 60
/** Longer than the generator waits for acknowledgements. */
const doneS = 120
const storedS = 60

/** Agents that send a sample a second, in a process of their own. */
export class SampleLoad {
  readonly load: LoadProcess
  readonly #sampleLog: string
  readonly #prefix: string
  readonly #deployment: Deployment
  readonly #httpAgents: ReadonlySet<string>

  private constructor(deployment: Deployment, prefix: string, agents: readonly FleetAgent[]) {
    this.#deployment = deployment
    this.#prefix = prefix
    this.#sampleLog = path.join(deployment.folder, `samples-${prefix}`)
    this.#httpAgents = new Set(agents.slice(overMqtt).map(({ apId }) => apId))
    this.load = startLoad({
      mqttUrl: deployment.mqttUrl,
      httpUrls: deployment.servers.apiUrls,
      overMqtt: agents.slice(0, overMqtt),
      overHttp: agents.slice(overMqtt),
      metrics,
      intervalMs: 1000,
      seconds: 3600,
      sampleLog: this.#sampleLog,
    })
  }

  static async start(deployment: Deployment, prefix: string): Promise<SampleLoad> {
    const agents = await deployment.createAgents(prefix, overMqtt + overHttp)
    const samples = new SampleLoad(deployment, prefix, agents)
    await within('all agents are connected', connectS, samples.load.connected)
    return samples
  }

  /** Whether samples over both transports that were sent after this time have been acknowledged. */
  async areAcknowledgedSince(time: number): Promise<boolean> {
    const { acknowledged } = await readSampleLog(this.#sampleLog)
    const recent = [...acknowledged].map((key) => key.split(' ')).filter(([, ts]) => Number(ts) >= time)
    const isHttp = recent.map(([apId = '']) => this.#httpAgents.has(apId))
    return isHttp.includes(true) && isHttp.includes(false)
  }

  /** Sends no more, and waits for acknowledgements and for the stores. What is missing then is found by the checker. */
  async finish(history: History): Promise<void> {
    this.load.stopSending()
    await within('the last samples are acknowledged', doneS, this.load.done)
    for (const store of this.#stores())
      await waitFor(`${store.name} has all acknowledged samples`, storedS, async () => {
        const log = await readSampleLog(this.#sampleLog)
        const { lost } = await compareWithStore(log, store.url, this.#prefix, metrics)
        if (lost > 0) throw new Error(`${lost} are missing`)
        return true
      }).catch((error: unknown) => history.add({ type: 'problem', detail: (error as Error).message }))
    await this.#record(history)
  }

  kill(): void {
    this.load.kill()
  }

  #stores() {
    return stores.map((name) => ({ name, url: this.#deployment.engines.urlsOf(name).victoria }))
  }

  async #record(history: History): Promise<void> {
    recordSamples(history, this.#sampleLog, this.#httpAgents)
    for (const { name, url } of this.#stores()) await recordStored(history, name, url, this.#prefix)
  }
}
