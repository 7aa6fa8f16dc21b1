import { describe, expect, it } from 'vitest'
import { type Coefficient, type Coefficients, processNames } from './coefficients.types.ts'
import { type Nodes, planOf } from './plan.ts'
import { loadOf, usageOf } from './usage.ts'

const of = (value: number): Coefficient => ({ value, source: 'test', date: '2026-11-17' })

/** Round figures, the same for every process. */
const coefficients: Coefficients = {
  processes: Object.fromEntries(
    processNames.map((name) => [
      name,
      {
        idle_cores: of(0.1),
        cpu_us_per_message: of(100),
        cpu_us_per_point: of(10),
        idle_memory_mib: of(100),
        memory_kib_per_agent: of(64),
        memory_kib_per_message_per_s: of(128),
        memory_kib_per_point_per_s: of(1),
        memory_kib_per_series: of(1),
      },
    ]),
  ) as Coefficients['processes'],
  disk: {
    victoria_bytes_per_point: of(1),
    victoria_bytes_per_series: of(1000),
    postgres_kib_per_agent: of(1),
  },
  cluster: { rabbitmq_cpu_factor: of(3), rabbitmq_memory_factor: of(2) },
  limit: { messages_per_s: of(10_000) },
}

const demand = { agents: 10_000, intervalS: 10, metrics: 20, retentionDays: 100 }
const plan = (more: Partial<typeof demand> = {}) => planOf({ ...demand, ...more }, coefficients)
const part = (name: Nodes['part'], more: Partial<typeof demand> = {}) =>
  plan(more).cluster.find((nodes) => nodes.part === name)

describe('the capacity model', () => {
  it('sums what a process uses when idle and for its load', () => {
    const load = loadOf(demand)
    expect(load).toEqual({ agents: 10_000, messagesPerS: 1000, pointsPerS: 20_000, series: 200_000 })
    const { ingester } = usageOf(load, coefficients)
    // 0.1 + 1,000 × 100 µs + 20,000 × 10 µs; 100 MiB + 10,000 × 64 KiB + 1,000 × 128 KiB + 20,000 × 1 KiB +
    // 200,000 × 1 KiB.
    expect(ingester.cores).toBeCloseTo(0.4)
    expect(ingester.memoryMib).toBeCloseTo(100 + 625 + 125 + 19.5 + 195.3, 1)
  })

  it('has no more agents in the memory of an api process than it caches', () => {
    const memory = (agents: number) =>
      usageOf({ agents, messagesPerS: 0, pointsPerS: 0, series: 0 }, coefficients).api.memoryMib
    expect(memory(20_000)).toBeCloseTo(1350)
    expect(memory(1_000_000)).toBe(memory(20_000))
  })

  it('has enough ingesters for their caches, when one is lost as well', () => {
    const many = { agents: 1_000_000, intervalS: 3600, metrics: 1 }
    expect(part('ingester', many)?.nodes).toBe(6)
    expect(part('ingester', { ...many, agents: 1_000_001 })?.nodes).toBe(7)
  })

  it('has the rows of agents in the memory of the database', () => {
    // 20,000 KiB more than the api with the same coefficients.
    const few = { agents: 20_000, intervalS: 1e9, metrics: 1 }
    expect(part('postgres', few)?.memory_gib).toBe(2.8)
    expect(part('api', few)?.memory_gib).toBe(2.7)
  })

  it('leaves half of the cores and of the memory free', () => {
    // 0.4 cores and 1,064.8 MiB in use.
    expect(part('api')).toMatchObject({ nodes: 2, cores: 0.8, memory_gib: 2.1 })
  })

  it('lets two brokers have the load of three', () => {
    expect(part('rabbitmq')).toMatchObject({ nodes: 3, cores: 1.2, memory_gib: 2.1, disk_gib: 9 })
  })

  it('has one ingester more than the load needs', () => {
    expect(part('ingester')).toMatchObject({ nodes: 2, cores: 0.8 })
    // 3.1 cores in use: seven at half of a core each, and one.
    expect(part('ingester', { agents: 100_000 })).toMatchObject({ nodes: 8, cores: 0.9 })
  })

  it('has disk space for all points of the retention, with a fifth free', () => {
    const bytes = 20_000 * 100 * 86_400 + 200_000 * 1000
    expect(part('victoria')?.disk_gib).toBe(Math.ceil(bytes / 2 ** 30 / 0.8))
    expect(part('victoria', { retentionDays: 1 })?.disk_gib).toBe(3)
  })

  it('has a telemetry queue for every ingester and for 3,640 messages/s', () => {
    expect(plan().telemetry_queues).toBe(8)
    const large = plan({ agents: 1_000_000 })
    expect(large.cluster.find((nodes) => nodes.part === 'ingester')?.nodes).toBe(62)
    expect(large.telemetry_queues).toBe(62)
    expect(plan({ agents: 500_000, metrics: 1 }).telemetry_queues).toBe(14)
  })

  it('marks rates above the largest measured one', () => {
    expect(plan({ agents: 100_000 })).toMatchObject({ messages_per_s: 10_000, is_extrapolated: false })
    expect(plan({ agents: 100_001 })).toMatchObject({ is_extrapolated: true })
  })

  it('adds up one process of each part for one machine', () => {
    // Six times 0.4 cores; the disks of the broker, the store, the database and three programs.
    expect(plan().one_machine).toEqual({ cores: 4.8, memory_gib: 12.5, disk_gib: 234 })
  })
})
