import type { EmulatorSpec } from '@manc/contract'

/** An agent to be emulated, with its password: this is the only place where that is written. */
export interface EmulatedAgent {
  ap_id: string
  password: string
  /** Which of the specs it behaves by. */
  spec: number
  latitude: number
  longitude: number
}

/** What one emulator runs of an emulation. */
export interface PartMessage {
  jobNumber: string
  part: number
  parts: number
  beginsAtMs: number
  /** By their number in the request: those of this part. */
  specs: Record<number, Omit<EmulatorSpec, 'locations'>>
  agents: EmulatedAgent[]
}

/** A message of the queue `manc.jobs.emulator_spinup`; undefined where it is none. */
export function partOf(content: Buffer): PartMessage | undefined {
  try {
    const { job_number: jobNumber, data } = JSON.parse(content.toString('utf8'))
    const { part, parts, begins_at: beginsAt, specs, agents } = data
    const beginsAtMs = Date.parse(beginsAt)
    const isWhole = typeof jobNumber === 'string' && typeof specs === 'object' && Array.isArray(agents)
    return isWhole && Number.isFinite(beginsAtMs)
      ? { jobNumber, part, parts, beginsAtMs, specs, agents }
      : undefined
  } catch {
    return undefined
  }
}
