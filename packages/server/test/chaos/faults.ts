import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError, type NodeName } from '../../../../tools/engines/index.ts'
import type { Deployment } from './deployment.ts'
import { brokers, databases, leadingBroker } from './health.ts'
import type { Direction, Party } from './network.ts'
import type { ServerName } from './servers.ts'
import { type SlowProxy, startSlowProxy } from './slow-proxy.ts'
import { SmallDisk } from './small-disk.ts'

/** What a configuration does to a deployment that is whole. `end` brings back everything that `begin` has taken. */
export interface Fault {
  prepare?(): Promise<void>
  begin(): Promise<void>
  /** Repeated each second while the fault lasts. */
  meanwhile?(): Promise<void>
  end(): Promise<void>
}

export type Target = ServerName | NodeName

/** A target whose name is known only when the configuration begins, such as the primary. */
export type Choice = (deployment: Deployment) => Promise<readonly Target[]>

export const just =
  (...targets: Target[]): Choice =>
  async () =>
    targets
export const primary: Choice = async ({ engines }) => [await engines.primary()]
export const standby: Choice = async ({ engines }) => [await engines.standby()]
export const leader: Choice = async (deployment) => [await leadingBroker(deployment)]
/** The leading broker and the next one. */
export const twoBrokers: Choice = async (deployment) => {
  const first = await leadingBroker(deployment)
  return [first, brokers.find((node) => node !== first) ?? 'rabbitmq-1']
}

export type CreateFault = (deployment: Deployment) => Promise<Fault>

/** SIGKILL; they are started again at the end. */
export const kill =
  (choice: Choice): CreateFault =>
  async (deployment) => {
    const targets = await choice(deployment)
    return {
      begin: () => each(targets, (target) => endProcess(deployment, target, 'SIGKILL')),
      end: () => each(targets, (target) => startProcess(deployment, target)),
    }
  }

/** SIGSTOP, until the end. */
export const pause =
  (choice: Choice): CreateFault =>
  async (deployment) => {
    const targets = await choice(deployment)
    const { engines, servers } = deployment
    return {
      begin: () =>
        each(targets, async (target) =>
          servers.has(target) ? servers.signal(target, 'SIGSTOP') : engines.pause(target),
        ),
      end: () =>
        each(targets, async (target) =>
          servers.has(target) ? servers.signal(target, 'SIGCONT') : engines.resume(target),
        ),
    }
  }

/** Packets between them are dropped. */
export const partition =
  (one: Choice, other: Choice, direction: Direction = 'both'): CreateFault =>
  async (deployment) => {
    const [first, second] = [await one(deployment), await other(deployment)]
    return {
      begin: async () =>
        deployment.network.cut(partyOf(deployment, first), partyOf(deployment, second), direction),
      end: async () => healed(deployment),
    }
  }

/** Packets between the agents and the load balancer of the brokers are dropped. */
export const cutAgents =
  (direction: Direction): CreateFault =>
  async (deployment) => ({
    begin: async () => {
      const balancer = { name: 'balancer', pids: [], ports: [Number(new URL(deployment.mqttUrl).port)] }
      deployment.network.cut(deployment.agents, balancer, direction)
    },
    end: async () => healed(deployment),
  })

/** Connections of a process to engines go through a proxy that delays everything. */
export const slow =
  (client: ServerName, engines: Choice, delayMs: number): CreateFault =>
  async (deployment) => {
    const { ports } = partyOf(deployment, await engines(deployment))
    const proxies = new Map<number, SlowProxy>()
    return {
      begin: async () => {
        for (const port of ports) proxies.set(port, await startSlowProxy(port, delayMs))
        const redirected = new Map([...proxies].map(([port, proxy]) => [port, proxy.port]))
        deployment.network.redirect(deployment.party(client), redirected)
      },
      end: async () => {
        healed(deployment)
        const connections = [...proxies.values()].reduce((sum, proxy) => sum + proxy.connections(), 0)
        for (const proxy of proxies.values()) proxy.stop()
        if (connections === 0) throw new Error('no connection was slow')
      },
    }
  }

/** The clock of a process jumps, and jumps back at the end. */
export const clockJump =
  (name: ServerName, seconds: number): CreateFault =>
  async ({ servers }) => ({
    prepare: () => servers.restartWithClock(name),
    begin: async () => {
      servers.setClock(name, seconds)
      await servers.untilClock(name, seconds)
    },
    end: async () => servers.setClock(name, 0),
  })

/** Of PostgreSQL and VictoriaMetrics, and of RabbitMQ. */
const fullDiskMessages = /no space left on device|disk resource limit alarm set/i

/**
 * The disk of a node is full. A supervisor starts the node again whenever it has ended. `moved` get a small disk before, one
 * after the other: which of them is the target then is decided after that.
 */
export const fullDisk =
  (moved: Choice, choice: Choice, size: string, leaveBytes = 0): CreateFault =>
  async (deployment) => {
    const { engines, disks } = deployment
    let node: NodeName = 'victoria-1'
    const fill = () => {
      const disk = disks.get(node)
      if (!disk) throw new Error(`${node} has no small disk`)
      disk.fill(leaveBytes)
      return disk
    }
    return {
      prepare: async () => {
        for (const member of (await moved(deployment)) as NodeName[]) {
          if (!disks.has(member)) disks.set(member, await SmallDisk.move(engines, member, size))
          await deployment.untilHealthy()
        }
      },
      begin: async () => {
        node = (await choice(deployment))[0] as NodeName
        fill()
      },
      meanwhile: async () => {
        fill()
        await engines.start(node).catch((error: unknown) => {
          if (!(error instanceof EngineError)) throw error
        })
      },
      end: async () => {
        disks.get(node)?.free()
        await engines.start(node)
        const log = readFileSync(engines.inspect(node).logFile, 'utf8')
        if (!fullDiskMessages.test(log)) throw new Error(`${node} has not met a full disk`)
      },
    }
  }

/** Every node and every process, one after the other, each in order: `begin` ends when all are back. */
export const rollingRestart =
  (targets: readonly Target[], pauseMs: number): CreateFault =>
  async (deployment) => ({
    begin: async () => {
      for (const target of targets) {
        await endProcess(deployment, target, 'SIGTERM')
        await startProcess(deployment, target)
        // A second member must not be stopped before the first one is complete again.
        if (!deployment.servers.has(target)) await deployment.untilHealthy()
        await sleep(pauseMs)
      }
    },
    end: async () => {},
  })

/** A partition that had no effect would show nothing. */
function healed({ network }: Deployment): void {
  if (network.heal() === 0) throw new Error('no packet was dropped')
}

async function each(targets: readonly Target[], work: (target: Target) => Promise<void>): Promise<void> {
  await Promise.all(targets.map((target) => work(target)))
}

function partyOf(deployment: Deployment, targets: readonly Target[]): Party {
  const [first] = targets
  if (first && targets.length === 1) return deployment.party(first)
  return deployment.parties(targets.join('-'), targets as NodeName[])
}

async function endProcess(deployment: Deployment, target: Target, signal: 'SIGKILL' | 'SIGTERM') {
  const { engines, servers } = deployment
  if (servers.has(target)) await servers.end(target, signal)
  else if (signal === 'SIGKILL') await engines.kill(target)
  else await engines.stop(target)
}

async function startProcess({ engines, servers }: Deployment, target: Target): Promise<void> {
  if (servers.has(target)) await servers.start(target)
  else await engines.start(target)
}

export const bothDatabases = just(...databases)
