/** One measured figure of the capacity model. */
export interface Coefficient {
  value: number
  /** The command that measured it, or where it was published. */
  source: string
  /** Of the measurement, or of the reading of a published figure, as 2026-11-17. */
  date: string
}

export const processNames = ['rabbitmq', 'victoria', 'postgres', 'ingester', 'api', 'subscriber'] as const
export type ProcessName = (typeof processNames)[number]

/** What one engine, or one process of a role, uses. Its memory grows with some of the four only. */
export interface ProcessCoefficients {
  idle_cores: Coefficient
  cpu_us_per_message: Coefficient
  cpu_us_per_point: Coefficient
  idle_memory_mib: Coefficient
  memory_kib_per_agent?: Coefficient
  memory_kib_per_message_per_s?: Coefficient
  memory_kib_per_point_per_s?: Coefficient
  memory_kib_per_series?: Coefficient
}

export interface Coefficients {
  processes: Record<ProcessName, ProcessCoefficients>
  disk: {
    victoria_bytes_per_point: Coefficient
    victoria_bytes_per_series: Coefficient
    postgres_kib_per_agent: Coefficient
  }
  /** Three nodes together against one, at the same load. */
  cluster: {
    rabbitmq_cpu_factor: Coefficient
    rabbitmq_memory_factor: Coefficient
  }
  limit: {
    /** On the machine of the measurement; more cores were not measured. */
    messages_per_s: Coefficient
  }
}
