import { type Coefficients, type ProcessName, processNames } from './coefficients.types.ts'

export interface Demand {
  agents: number
  /** Time between two messages of an agent. */
  intervalS: number
  /** Metrics of a message. */
  metrics: number
}

export interface Load {
  agents: number
  messagesPerS: number
  pointsPerS: number
  series: number
}

export interface Usage {
  cores: number
  memoryMib: number
}

/** An api process caches the tokens of this many agents. */
const maxCachedAgents = 20_000

export const loadOf = ({ agents, intervalS, metrics }: Demand): Load => ({
  agents,
  messagesPerS: agents / intervalS,
  pointsPerS: (agents / intervalS) * metrics,
  series: agents * metrics,
})

/** What each engine and role uses at this load, with one process each. Nothing is in reserve. */
export const usageOf = (load: Load, { processes }: Coefficients): Record<ProcessName, Usage> =>
  Object.fromEntries(
    processNames.map((name) => {
      const of = processes[name]
      const cpuUsPerS =
        of.cpu_us_per_message.value * load.messagesPerS + of.cpu_us_per_point.value * load.pointsPerS
      const agents = name === 'api' ? Math.min(load.agents, maxCachedAgents) : load.agents
      const memoryKib =
        (of.memory_kib_per_agent?.value ?? 0) * agents +
        (of.memory_kib_per_message_per_s?.value ?? 0) * load.messagesPerS +
        (of.memory_kib_per_point_per_s?.value ?? 0) * load.pointsPerS +
        (of.memory_kib_per_series?.value ?? 0) * load.series
      const cores = of.idle_cores.value + cpuUsPerS / 1e6
      return [name, { cores, memoryMib: of.idle_memory_mib.value + memoryKib / 1024 }]
    }),
  ) as Record<ProcessName, Usage>
