import type { Coefficients, ProcessName } from './coefficients.types.ts'
import { type Demand, loadOf, type Usage, usageOf } from './usage.ts'

/** Of CPU and memory. The rest is for peaks, reads, commands, and the work after an outage. */
const usable = 0.5
/** VictoriaMetrics needs free space to merge its files. */
const usableDisk = 0.8
const brokers = 3
/** The deploy files limit a telemetry queue to this size; a quorum queue may need it twice on disk. */
const queueGib = 0.5
const brokerOwnGib = 1
const leastQueues = 8
/** A queue delivers up to 65,535 messages, each of which is acknowledged after up to 18 s. */
const queueMessagesPerS = 65_535 / 18
/** An ingester caches the metric names, attributes and limits of so many agents, in an LRU cache that more of them would make useless. */
const ingesterAgents = 200_000
/** Write-ahead log, audit, jobs and their results, which the settings limit to 16 GiB. */
const databaseOtherGib = 20
/** Updated rows need space until the database has cleaned up. */
const databaseFactor = 2
const programGib = 1
/** Measured in an idle cluster: 24 MiB each. */
const etcd: Size = { cores: 0.1, memoryMib: 64, diskGib: 1 }

interface Size extends Usage {
  diskGib: number
}

/** Each of several equal nodes. */
export interface Nodes {
  part: ProcessName | 'etcd'
  nodes: number
  cores: number
  memory_gib: number
  disk_gib: number
}

export interface Plan {
  messages_per_s: number
  points_per_s: number
  series: number
  telemetry_queues: number
  /** Every part survives the loss of one of its nodes. */
  cluster: Nodes[]
  /** One process of each, which is down while the machine is. */
  one_machine: Omit<Nodes, 'part' | 'nodes'>
  largest_measured_messages_per_s: number
  /** The message rate is above the largest measured one. */
  is_extrapolated: boolean
}

export function planOf(demand: Demand & { retentionDays: number }, coefficients: Coefficients): Plan {
  const load = loadOf(demand)
  const usage = usageOf(load, coefficients)
  const { disk, cluster, limit, processes } = coefficients
  const ingesters = Math.max(
    2,
    Math.ceil(usage.ingester.cores / usable) + 1,
    Math.ceil(load.agents / ingesterAgents) + 1,
  )
  const queues = Math.max(leastQueues, ingesters, Math.ceil(load.messagesPerS / queueMessagesPerS))
  const points = load.pointsPerS * demand.retentionDays * 86_400
  const storeBytes =
    points * disk.victoria_bytes_per_point.value + load.series * disk.victoria_bytes_per_series.value
  const diskGib: Record<ProcessName, number> = {
    rabbitmq: brokerOwnGib + queues * queueGib * 2,
    victoria: storeBytes / 2 ** 30 / usableDisk,
    postgres: databaseOtherGib + (databaseFactor * load.agents * disk.postgres_kib_per_agent.value) / 2 ** 20,
    ingester: programGib,
    api: programGib,
    subscriber: programGib,
  }
  // The rows of agents should stay in memory; in the measurements they were few.
  usage.postgres.memoryMib += (load.agents * disk.postgres_kib_per_agent.value) / 1024
  const sizeOf = (name: ProcessName): Size => ({ ...usage[name], diskGib: diskGib[name] })
  const names = Object.keys(diskGib) as ProcessName[]
  return {
    messages_per_s: Math.round(load.messagesPerS),
    points_per_s: Math.round(load.pointsPerS),
    series: load.series,
    telemetry_queues: queues,
    cluster: [
      nodesOf('rabbitmq', brokers, {
        // When one is lost, the others have its connections and queues.
        cores: (usage.rabbitmq.cores * cluster.rabbitmq_cpu_factor.value) / (brokers - 1),
        memoryMib: (usage.rabbitmq.memoryMib * cluster.rabbitmq_memory_factor.value) / (brokers - 1),
        diskGib: diskGib.rabbitmq,
      }),
      // Each stores everything.
      nodesOf('victoria', 2, sizeOf('victoria')),
      nodesOf('postgres', 2, sizeOf('postgres')),
      nodesOf('etcd', 3, etcd),
      nodesOf('ingester', ingesters, {
        ...shareOf(usage.ingester, processes.ingester.idle_memory_mib.value, ingesters - 1),
        diskGib: programGib,
      }),
      nodesOf('api', 2, sizeOf('api')),
      nodesOf('subscriber', 2, sizeOf('subscriber')),
    ],
    one_machine: roundedUp({
      cores: sum(names.map((name) => usage[name].cores)),
      memoryMib: sum(names.map((name) => usage[name].memoryMib)),
      diskGib: sum(Object.values(diskGib)),
    }),
    largest_measured_messages_per_s: limit.messages_per_s.value,
    is_extrapolated: load.messagesPerS > limit.messages_per_s.value,
  }
}

const nodesOf = (part: Nodes['part'], nodes: number, size: Size): Nodes => ({
  part,
  nodes,
  ...roundedUp(size),
})

/** Every process has its own idle memory; the rest is divided. */
const shareOf = ({ cores, memoryMib }: Usage, idleMib: number, processes: number): Usage => ({
  cores: cores / processes,
  memoryMib: idleMib + (memoryMib - idleMib) / processes,
})

/** With the reserve. */
const roundedUp = ({ cores, memoryMib, diskGib }: Size) => ({
  cores: upToTenths(cores / usable),
  memory_gib: upToTenths(memoryMib / 1024 / usable),
  disk_gib: Math.ceil(diskGib),
})

/** 1.2000000000000002 is 1.2, not 1.3. */
const upToTenths = (value: number): number => Math.ceil(Number((value * 10).toFixed(6))) / 10

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
