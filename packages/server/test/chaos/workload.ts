import { isDeepStrictEqual } from 'node:util'
import type { AgentMqtt } from '@manc/sdk/agent'
import type { HistoryOfAgent } from './agent-history.ts'
import { type Context, seeded } from './caller.ts'
import { createCallers } from './callers.ts'
import type { Deployment } from './deployment.ts'
import type { History, Kind } from './history.ts'
import { waitFor, within } from './wait.ts'
import { logIns, oldTokens, registrations, revocations } from './workload-accounts.ts'
import { FleetFollower } from './workload-fleet.ts'
import { commands, jobs, OpenJobs, startExecutors } from './workload-jobs.ts'
import { reads } from './workload-reads.ts'
import { SampleLoad } from './workload-samples.ts'

const executors = 3
const connectS = 60
/** A command ends after 20 s without a delivery and 20 s without a result. */
const endS = 90
const followS = 40

/** Those that must succeed again before a configuration ends. */
const awaited: readonly Kind[] = ['login', 'register', 'job', 'command', 'changes', 'read']

export interface WorkloadOptions {
  deployment: Deployment
  history: History
  prefix: string
  seed: number
  historyOfAgent: HistoryOfAgent
}

/** All kinds of operations at the same time. */
export class Workload {
  readonly samples: SampleLoad
  readonly #context: Context
  readonly #stopping: AbortController
  readonly #open = new OpenJobs()
  readonly #follower: FleetFollower
  readonly #agents: AgentMqtt[]
  readonly #running: Promise<unknown>

  private constructor(
    context: Context,
    stopping: AbortController,
    parts: {
      samples: SampleLoad
      agents: AgentMqtt[]
      follower: FleetFollower
      /** Each runs until the workload stops. */
      loops: (open: OpenJobs) => Promise<void>[]
    },
  ) {
    this.#context = context
    this.#stopping = stopping
    this.samples = parts.samples
    this.#agents = parts.agents
    this.#follower = parts.follower
    this.#running = Promise.all(parts.loops(this.#open))
    // `finish` awaits it.
    this.#running.catch(() => {})
  }

  static async start(options: WorkloadOptions): Promise<Workload> {
    const { deployment, history, prefix, seed, historyOfAgent } = options
    const stopping = new AbortController()
    const context: Context = {
      history,
      urls: deployment.servers.apiUrls,
      apiUrl: deployment.apiUrl,
      mqttUrl: deployment.mqttUrl,
      token: await deployment.adminToken(),
      prefix,
      random: seeded(seed),
      stopping: stopping.signal,
      succeeded: new Map(),
    }
    const { registrar, operator, analyst, viewer } = await createCallers(context)
    const apIds = await deployment.createAgents(`${prefix}-executor`, executors)
    const agents = await within(
      'agents that execute commands are connected',
      connectS,
      startExecutors(context, apIds),
    )
    const follower = new FleetFollower(viewer)
    const revoked: Parameters<typeof registrations>[1] = []
    const workload = new Workload(context, stopping, {
      samples: await SampleLoad.start(deployment, prefix),
      agents,
      follower,
      loops: (open) => [
        logIns(context),
        registrations(registrar, revoked),
        revocations(context, revoked),
        oldTokens(context, revoked),
        jobs(analyst, open, historyOfAgent),
        commands(operator, open, apIds),
        follower.run(),
        reads(analyst),
      ],
    })
    await workload.untilSucceeded(Date.now(), 60)
    return workload
  }

  /** Waits until an operation of each kind that began after this time has succeeded. */
  async untilSucceeded(since: number, withinS: number): Promise<void> {
    const { succeeded } = this.#context
    await waitFor('operations of all kinds succeed', withinS, async () => {
      const missing = awaited.filter((kind) => (succeeded.get(kind) ?? 0) < since)
      if (missing.length > 0) throw new Error(`not ${missing.join(', ')}`)
      return this.samples.areAcknowledgedSince(since)
    })
  }

  /** Ends the workload and records what became of it. */
  async finish(): Promise<void> {
    const { history } = this.#context
    history.add({ type: 'fault', phase: 'over' })
    this.#stopping.abort()
    const record = (error: unknown) => history.add({ type: 'problem', detail: (error as Error).message })
    await within('the last requests have ended', 60, this.#running).catch(record)
    await this.samples.finish(history).catch(record)
    // What has no end is found by the checker.
    await waitFor('all jobs and commands have ended', endS, async () => {
      if (this.#open.count > 0) throw new Error(`${this.#open.count} are open`)
      return true
    }).catch(() => {})
    await this.#recordFleet().catch(record)
  }

  close(): void {
    this.#stopping.abort()
    this.#open.close()
    this.samples.kill()
    for (const agent of this.#agents) void agent.stop({ withinMs: 0 })
  }

  /** The states still change, so both are read until they are the same. */
  async #recordFleet(): Promise<void> {
    const { history } = this.#context
    let listed: Record<string, string> = {}
    await waitFor('the follower knows all changes', followS, async () => {
      listed = await this.#follower.listed()
      await this.#follower.poll()
      return isDeepStrictEqual(listed, this.#follower.followed)
    }).catch(() => {})
    history.add({ type: 'fleet', source: 'listed', agents: listed })
    history.add({ type: 'fleet', source: 'followed', agents: this.#follower.followed })
  }
}
