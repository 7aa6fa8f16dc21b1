import type { EmulationPhase, Scenario } from '@manc/contract'
import { type Executor, sql } from '../../engines/postgres.ts'

export interface NewPhase {
  phase: EmulationPhase
  scenario: Scenario
  afterS: number
}

export interface BegunPhase {
  jobNumber: string
  owner: string
  phase: EmulationPhase
  scenario: Scenario
}

/** The only writer of the table `emulation_phases`: those that have not begun yet. */
export class PhaseStore {
  async insert(tx: Executor, jobNumber: string, phases: readonly NewPhase[]): Promise<void> {
    await sql`
      insert into emulation_phases (job_number, phase, scenario, begins_at)
      select ${jobNumber}, phase, scenario, now() + make_interval(secs => after_s) from unnest(
        ${phases.map(({ phase }) => phase)}::text[],
        ${phases.map(({ scenario }) => scenario)}::text[],
        ${phases.map(({ afterS }) => afterS)}::float8[]) as phase (phase, scenario, after_s)
      on conflict do nothing
    `.execute(tx)
  }

  /** Removes phases that are due. Returns those of emulations that are still running. */
  async takeDue(tx: Executor, limit: number): Promise<BegunPhase[]> {
    const { rows } = await sql<BegunPhase & { isRunning: boolean }>`
      with due as (
        select ctid from emulation_phases where begins_at <= now()
        order by begins_at limit ${limit} for update skip locked
      ), begun as (
        delete from emulation_phases using due where emulation_phases.ctid = due.ctid
        returning job_number, phase, scenario
      )
      select job_number as "jobNumber", owner, phase, scenario, not is_told and stopped_by is null as "isRunning"
      from begun join emulations using (job_number)
    `.execute(tx)
    return rows.filter(({ isRunning }) => isRunning)
  }
}
