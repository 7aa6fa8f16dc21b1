import { randomUUID } from 'node:crypto'
import type { CommandsAccepted, CommandToMany as Wanted } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Tx } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { FleetService } from '../fleet/index.ts'
import type { Chunk, JobHandler, JobService } from '../jobs/index.ts'
import { type CommandService, knows } from './commands.service.ts'
import type { NewPart, Part, PartStore } from './parts.store.ts'

interface Wish {
  wanted: Wanted
  caller: Caller
  by: Actor
  key: string | undefined
}

const mostAgents = 10_000
/** Of a chunk, as text; and of what is read at once. */
const chunkLength = 256 * 1024 - 2
const pieceSize = 500
/** A statement has to end within the time limit of queries. */
const partsPerStatement = 2000

/** One command for many agents: a job with a part for each. */
export class CommandToMany implements JobHandler {
  readonly kind = 'send_commands'
  readonly callback = 'agent_details'
  readonly #store: PartStore
  readonly #commands: CommandService
  readonly #fleet: FleetService
  readonly #jobs: JobService

  constructor(parts: {
    store: PartStore
    commands: CommandService
    fleet: FleetService
    jobs: JobService
  }) {
    this.#store = parts.store
    this.#commands = parts.commands
    this.#fleet = parts.fleet
    this.#jobs = parts.jobs
  }

  async send({ wanted, caller, by, key }: Wish): Promise<CommandsAccepted> {
    const candidates = await this.#candidates(wanted, caller)
    const { command } = wanted
    const owner = idOf(caller)
    const jobNumber = await this.#jobs.create(
      { kind: this.kind, request: { ...wanted }, owner, key },
      async (tx, parent) => {
        const fit = candidates.filter(({ skipped }) => skipped === undefined).map(({ apId }) => apId)
        const taken = await this.#commands.takeOver(tx, fit, caller)
        const own = new Set(taken.apIds)
        const parts = candidates.map(({ apId, skipped }) => ({
          jobNumber: randomUUID(),
          apId,
          skipped: skipped ?? (own.has(apId) ? undefined : 'Another application holds this agent.'),
        }))
        await this.#insert(tx, { parent, owner, livesForS: this.#commands.times.livesForS }, command, parts)
        const detail = { command, agents: parts.filter(({ skipped }) => skipped === undefined).length }
        await recordAudit(tx, by, { action: 'agents.command', target: parent, detail })
      },
    )
    return { job_number: jobNumber, ...(await this.#store.count(jobNumber)) }
  }

  /** What became of each, in the order of their ids. The cursor is the last one that has been delivered. */
  async *chunks(_request: unknown, cursor = '', jobNumber: string): AsyncGenerator<Chunk> {
    let items = ''
    let last = cursor
    for (;;) {
      const piece = await this.#store.page(jobNumber, last, pieceSize)
      for (const part of piece) {
        const item = textOf(part)
        if (items !== '' && items.length + item.length > chunkLength) {
          yield { items: `[${items}]`, cursor: last, isLast: false }
          items = ''
        }
        items += items === '' ? item : `,${item}`
        last = part.apId
      }
      if (piece.length < pieceSize) break
    }
    yield { items: `[${items}]`, cursor: last, isLast: true }
  }

  async #insert(
    tx: Tx,
    shared: { parent: string; owner: string; livesForS: number },
    command: string,
    parts: readonly NewPart[],
  ): Promise<void> {
    for (let from = 0; from < parts.length; from += partsPerStatement) {
      const some = parts.slice(from, from + partsPerStatement)
      await this.#jobs.createParts(
        tx,
        { ...shared, kind: 'send_command' },
        some.map(({ jobNumber, apId, skipped }) => ({
          jobNumber,
          request: JSON.stringify({ agent_id: apId, command }),
          skipped,
        })),
      )
      await this.#store.insert(tx, { ...shared, command }, some)
    }
  }

  async #candidates({ command, agents, technology, area }: Wanted, caller: Caller) {
    if (!agents && !technology && !area)
      throw invalid([
        {
          loc: ['body'],
          msg: 'Value error, say which agents: agents, technology or area',
          type: 'value_error',
        },
      ])
    const chosen = await this.#fleet.choose(
      {
        visible: caller.kind === 'third_party_app' ? caller.agents : undefined,
        ...(agents && { ids: agents }),
        ...(technology && { technologies: [technology] }),
        ...(area && { box: area }),
      },
      mostAgents + 1,
    )
    if (chosen.length > mostAgents)
      throw new Refused('bad-request', `More than ${mostAgents} agents are chosen. Narrow the choice.`)
    const found = new Set(chosen.map(({ apId }) => apId))
    const missing = [...new Set(agents)].filter((apId) => !found.has(apId))
    const candidates: { apId: string; skipped?: string }[] = [
      ...chosen.map(({ apId, configuration }) =>
        knows(configuration, command) ? { apId } : { apId, skipped: 'It does not list this command.' },
      ),
      ...missing.map((apId) => ({ apId, skipped: 'There is no such agent, or it is not what was chosen.' })),
    ]
    if (candidates.length === 0) throw notFound('Agent')
    return candidates
  }
}

function textOf({ apId, jobNumber, state, result, detail }: Part): string {
  const known = { agent_id: apId, job_number: jobNumber, state }
  return `${JSON.stringify(known).slice(0, -1)},"result":${result ?? 'null'},"detail":${JSON.stringify(detail)}}`
}
