import { randomUUID } from 'node:crypto'
import type { CommandVerdict } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Tx } from '../../engines/postgres.ts'
import type { FleetService } from '../fleet/index.ts'
import type { JobService } from '../jobs/index.ts'
import { acceptsCommand } from './commands.rules.ts'
import type { CommandService } from './commands.service.ts'
import type { PartStore } from './parts.store.ts'

export interface SetCommand {
  apId: string
  command: string
}

/** What the arbiter has decided about a command. */
export interface Verdict extends SetCommand {
  verdict: CommandVerdict
  detail: string | null
  /** Of its part of the job, if it is sent. */
  jobNumber: string | null
}

interface SetRequest {
  /** Few; those of one agent in their order. */
  commands: readonly SetCommand[]
  title: string
  /** Whose permissions, priority and limits apply. */
  caller: Caller
  /** First in the transaction that sends the commands. */
  before: (tx: Tx) => Promise<void>
  /** Last in that transaction. It writes the audit entry. */
  sent: (tx: Tx, jobNumber: string, verdicts: readonly Verdict[]) => Promise<void>
}

interface Options {
  parts: PartStore
  commands: CommandService
  fleet: FleetService
  jobs: JobService
}

/** Rolls the transaction back: an agent is held by another application. */
class Held extends Error {
  readonly verdicts: readonly Verdict[]

  constructor(verdicts: readonly Verdict[]) {
    super('an agent is held by another application')
    this.verdicts = verdicts
  }
}

/** Commands to several agents that belong together: one job with a part for each. All of them are sent, or none. */
export class CommandSetService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Throws the refusal if an app steers a client to an agent that its permissions do not cover. */
  checkTargets(caller: Caller, commands: readonly SetCommand[]): void {
    for (const { command } of commands) this.#options.commands.checkTarget(caller, command)
  }

  /** The verdicts. If one of them is a refusal, nothing has changed. */
  async send(request: SetRequest): Promise<readonly Verdict[]> {
    const { commands, jobs } = this.#options
    const { caller, title, before, sent } = request
    this.checkTargets(caller, request.commands)
    const possible = await this.#check(request)
    if (possible.some(({ verdict }) => verdict !== 'granted')) return withoutOthers(possible)
    commands.checkRate(caller, possible.length)
    const verdicts = possible.map((each) => ({ ...each, jobNumber: randomUUID() }))
    const stored = verdicts.map(({ apId, command }) => ({ agent_id: apId, command }))
    try {
      await jobs.create(
        { kind: 'send_commands', title, request: { commands: stored }, caller, key: undefined },
        async (tx, parent) => {
          await before(tx)
          await this.#reserve(tx, verdicts, caller)
          await this.#insert(tx, { parent, owner: idOf(caller) }, verdicts)
          await sent(tx, parent, verdicts)
        },
      )
    } catch (error) {
      if (error instanceof Held) return error.verdicts
      throw error
    }
    return verdicts
  }

  /** Whether the agents exist, are covered by the permissions, and accept the commands. */
  async #check({ commands, caller }: SetRequest): Promise<Verdict[]> {
    const patterns = caller.kind === 'third_party_app' ? caller.agents : undefined
    const ids = commands.map(({ apId }) => apId)
    const found = await this.#options.fleet.choose(
      { view: { patterns, emulated: 'all', owner: idOf(caller) }, ids },
      ids.length,
    )
    const configurations = new Map(found.map(({ apId, configuration }) => [apId, configuration]))
    return commands.map(({ apId, command }) => {
      const configuration = configurations.get(apId)
      const refused = (verdict: CommandVerdict, detail: string) => ({
        apId,
        command,
        verdict,
        detail,
        jobNumber: null,
      })
      if (configuration === undefined) return refused('no_agent', 'There is no such access point.')
      return acceptsCommand(configuration, command)
        ? { apId, command, verdict: 'granted', detail: null, jobNumber: null }
        : refused('not_accepted', 'The configuration of the access point does not list this command.')
    })
  }

  async #reserve(tx: Tx, verdicts: readonly Verdict[], caller: Caller): Promise<void> {
    const apIds = [...new Set(verdicts.map(({ apId }) => apId))]
    await this.#options.commands.checkWaiting(tx, apIds, caller)
    const reserved = await this.#options.commands.reserve(tx, apIds, caller)
    if (reserved.apIds.length === apIds.length) return
    const detail = `Another application holds this access point. Try again in ${Math.max(1, Math.ceil(reserved.leftS))} s.`
    const decided = verdicts.map(
      (each): Verdict =>
        reserved.apIds.includes(each.apId)
          ? { ...each, jobNumber: null }
          : { ...each, verdict: 'held', detail, jobNumber: null },
    )
    throw new Held(withoutOthers(decided))
  }

  async #insert(
    tx: Tx,
    { parent, owner }: { parent: string; owner: string },
    verdicts: readonly (SetCommand & { jobNumber: string })[],
  ): Promise<void> {
    const { parts, commands, jobs } = this.#options
    const shared = { parent, owner, livesForS: commands.times.livesForS }
    await jobs.createParts(
      tx,
      { ...shared, kind: 'send_command' },
      verdicts.map(({ jobNumber, apId, command }) => ({
        jobNumber,
        request: JSON.stringify({ agent_id: apId, command }),
        skipped: undefined,
      })),
    )
    await parts.insert(
      tx,
      shared,
      verdicts.map(({ jobNumber, apId, command }) => ({ jobNumber, apId, command, skipped: undefined })),
    )
  }
}

/** The other commands of a set are not sent either. */
const withoutOthers = (verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.map((each) =>
    each.verdict === 'granted'
      ? { ...each, verdict: 'not_sent', detail: 'Another command of the decision was refused.' }
      : each,
  )
