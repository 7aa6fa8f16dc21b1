import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServerProcess, type Variables } from '@manc/harness'
import { LoadBalancer } from './load-balancer.ts'

export type Release = 'old' | 'new'
export type Name = 'api1' | 'api2' | 'subscriber' | 'ingester'

export const rollOrder: readonly Name[] = ['subscriber', 'ingester', 'api1', 'api2']

interface Options {
  variables: Variables
  /** Port at which the broker expects the internal listener of an api process. */
  internalPort: number
  mainFiles: Record<Release, string | undefined>
}

/** Two api processes behind a load balancer, a subscriber and an ingester; each can be of either release. */
export class Deployment {
  readonly #options: Options
  readonly #public: LoadBalancer
  readonly #internal: LoadBalancer
  readonly #running = new Map<Name, { process: ServerProcess; release: Release }>()

  private constructor(options: Options, balancers: [LoadBalancer, LoadBalancer]) {
    this.#options = options
    ;[this.#public, this.#internal] = balancers
  }

  static async start(options: Options, release: Release): Promise<Deployment> {
    const balancers: [LoadBalancer, LoadBalancer] = [
      await LoadBalancer.listen(),
      await LoadBalancer.listen(options.internalPort),
    ]
    const deployment = new Deployment(options, balancers)
    for (const name of rollOrder.toReversed()) await deployment.#start(name, release)
    return deployment
  }

  /** Of the load balancer. */
  get url(): string {
    return this.#public.url
  }

  /** Starts a process of the other release, and then stops the present one: there are two for a moment. */
  async roll(name: Name, release: Release): Promise<void> {
    const previous = this.#running.get(name)
    await this.#start(name, release)
    if (!previous) return
    // 1.0.0 does not drain: it has to be removed from the load balancer before it is stopped.
    if (previous.release === 'old') this.#removeFromBalancers(previous.process)
    const code = await previous.process.stop()
    this.#removeFromBalancers(previous.process)
    if (code !== 0)
      throw new Error(`${name} (${previous.release}) ended with ${code}:\n${lastLines(previous.process)}`)
  }

  async stop(): Promise<void> {
    for (const { process } of this.#running.values()) await process.stop('SIGKILL')
    this.#public.close()
    this.#internal.close()
  }

  async #start(name: Name, release: Release): Promise<void> {
    const isApi = name.startsWith('api')
    const process = await startServerProcess(
      {
        ...this.#options.variables,
        MANC_ROLES: isApi ? 'api' : name,
        MANC_PORT: '0',
        MANC_INTERNAL_PORT: '0',
        ...(name === 'subscriber' && { MANC_API_URL: this.#public.url }),
        ...(isApi && release === 'new' && { MANC_DRAIN_SECONDS: '3' }),
      },
      [],
      this.#options.mainFiles[release],
    )
    this.#running.set(name, { process, release })
    if (!isApi) return
    this.#public.add(process.url)
    this.#internal.add(process.internalUrl)
    // The load balancer has checked it once.
    await sleep(1000)
  }

  #removeFromBalancers(process: ServerProcess): void {
    if (process.url !== '') this.#public.remove(process.url)
    this.#internal.remove(process.internalUrl)
  }
}

const lastLines = (process: ServerProcess) => process.output().split('\n').slice(-20).join('\n')
