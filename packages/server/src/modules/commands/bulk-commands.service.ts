import { randomUUID } from 'node:crypto'
import type { CommandsAccepted, CommandToMany } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import { viewOf } from '../../agent-views.ts'
import { type Horizon, lastHorizon } from '../../engines/postgres.horizon.ts'
import type { Tx } from '../../engines/postgres.ts'
import { invalid, notFound, Refused, tooMany } from '../../errors.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { FleetService } from '../fleet/index.ts'
import { type JobService, jobTitles, type MessageService } from '../jobs/index.ts'
import { acceptsCommand } from './commands.rules.ts'
import type { CommandService } from './commands.service.ts'
import { OwnerTurns } from './owner-turns.rules.ts'
import type { NewPart, PartStore } from './parts.store.ts'

interface Options {
  store: PartStore
  commands: CommandService
  fleet: FleetService
  jobs: JobService
  messages: MessageService
}

interface BulkRequest {
  body: CommandToMany
  caller: Caller
  by: Actor
  /** Idempotency key. */
  key: string | undefined
}

const maxAgents = 10_000
/** For other commands of the same caller. After that its client may have given up, and would send the command again. */
const maxWaitMs = 10_000
/** A statement has to end within the time limit of queries. */
const partsPerStatement = 2000

/** One command to many agents: a job with a part for each agent. */
export class BulkCommandService {
  readonly #options: Options
  readonly #turns = new OwnerTurns()
  /** All changes of parts up to here are in the progress of their jobs. Undefined before the first poll. */
  #horizon: Horizon | undefined

  constructor(options: Options) {
    this.#options = options
  }

  async send({ body, caller, by, key }: BulkRequest): Promise<CommandsAccepted> {
    const { store, commands, jobs } = this.#options
    if (body.commands) return this.#decide({ body, caller, by, key }, body.commands)
    const { command } = body
    if (command === undefined) throw missingCommand()
    const candidates = await this.#candidates({ ...body, command }, caller)
    commands.checkTarget(caller, command)
    commands.checkRate(caller, candidates.length)
    const owner = idOf(caller)
    const receivers = candidates.filter(({ skipped }) => skipped === undefined).length
    const title = jobTitles.commands(command, receivers, body.technology)
    const request = { kind: 'send_commands', title, request: { ...body }, caller, key } as const
    const askedAt = performance.now()
    const jobNumber = await this.#turns.run(owner, () => {
      if (performance.now() - askedAt > maxWaitMs)
        throw tooMany('Too many commands to many agents at once. Wait for the responses, then send more.', 1)
      return jobs.create(request, async (tx, parent) => {
        const possible = candidates.filter(({ skipped }) => skipped === undefined).map(({ apId }) => apId)
        const full = new Set(await commands.withTooManyWaiting(tx, possible, caller))
        const receiving = possible.filter((apId) => !full.has(apId))
        const reserved = new Set((await commands.reserve(tx, receiving, caller)).apIds)
        const obstacle = (apId: string) => {
          if (full.has(apId)) return 'Too many commands of the same caller wait for it already.'
          return reserved.has(apId) ? undefined : 'Another application holds this agent.'
        }
        const parts = candidates.map(({ apId, skipped }) => ({
          jobNumber: randomUUID(),
          apId,
          command,
          skipped: skipped ?? obstacle(apId),
        }))
        await this.#insert(tx, { parent, owner, livesForS: commands.times.livesForS }, parts)
        const detail = { command, agents: parts.filter(({ skipped }) => skipped === undefined).length }
        await recordAudit(tx, by, { action: 'agents.command', target: parent, detail })
      })
    })
    return { job_number: jobNumber, ...(await store.count(jobNumber)) }
  }

  /** The commands of one decision: one job, of which all parts are sent or none. */
  async #decide(
    { body, caller, by, key }: BulkRequest,
    decided: NonNullable<CommandToMany['commands']>,
  ): Promise<CommandsAccepted> {
    const { store, commands, jobs } = this.#options
    if (Object.keys(body).some((name) => name !== 'commands')) throw besideCommands()
    const apIds = [...new Set(decided.map(({ agent_id: apId }) => apId))]
    await this.#checkDecision(decided, apIds, caller)
    commands.checkRate(caller, decided.length)
    const owner = idOf(caller)
    const title = jobTitles.commands(
      decided.map(({ command }) => command).join('; '),
      apIds.length,
      undefined,
    )
    const jobNumber = await jobs.create(
      { kind: 'send_commands', title, request: { ...body }, caller, key },
      async (tx, parent) => {
        await commands.checkWaiting(tx, apIds, caller)
        const reserved = await commands.reserve(tx, apIds, caller)
        const held = apIds.find((apId) => !reserved.apIds.includes(apId))
        if (held !== undefined)
          throw new Refused(
            'conflict',
            `Another application holds ${held}. Nothing was sent; try again shortly.`,
            { retryAfterS: Math.max(1, Math.ceil(reserved.leftS)) },
          )
        const parts = decided.map(({ agent_id: apId, command }) => ({
          jobNumber: randomUUID(),
          apId,
          command,
          skipped: undefined,
        }))
        await this.#insert(tx, { parent, owner, livesForS: commands.times.livesForS }, parts)
        const detail = { commands: decided.map(({ agent_id: apId, command }) => `${apId}: ${command}`) }
        await recordAudit(tx, by, { action: 'agents.command', target: parent, detail })
      },
    )
    return { job_number: jobNumber, ...(await store.count(jobNumber)) }
  }

  async #checkDecision(
    decided: NonNullable<CommandToMany['commands']>,
    apIds: string[],
    caller: Caller,
  ): Promise<void> {
    const found = await this.#options.fleet.choose({ view: viewOf(caller, 'all'), ids: apIds }, apIds.length)
    const configurations = new Map(found.map(({ apId, configuration }) => [apId, configuration]))
    for (const { agent_id: apId, command } of decided) {
      const configuration = configurations.get(apId)
      if (configuration === undefined) throw notFound('Agent')
      if (!acceptsCommand(configuration, command))
        throw new Refused(
          'bad-request',
          `${apId} does not accept one of the commands. Its configuration lists the commands that it accepts.`,
        )
      this.#options.commands.checkTarget(caller, command)
    }
  }

  /**
   * Posts the progress to the callers, where it has changed. Only jobs of which a part has changed are counted; after a
   * start or an error all that are open.
   */
  async updateProgress(): Promise<void> {
    const { store, messages } = this.#options
    const before = this.#horizon
    // After an error all open jobs are counted again.
    this.#horizon = undefined
    const { parents, horizon } = await store.parentsSince(before ?? lastHorizon)
    const changed = before && parents.length === 0 ? [] : await store.changedProgress(before && parents)
    if (changed.length > 0) await messages.updateProgress(changed)
    this.#horizon = horizon
  }

  async #insert(
    tx: Tx,
    shared: { parent: string; owner: string; livesForS: number },
    parts: readonly NewPart[],
  ): Promise<void> {
    const { store, jobs } = this.#options
    for (let from = 0; from < parts.length; from += partsPerStatement) {
      const some = parts.slice(from, from + partsPerStatement)
      await jobs.createParts(
        tx,
        { ...shared, kind: 'send_command' },
        some.map(({ jobNumber, apId, command, skipped }) => ({
          jobNumber,
          request: JSON.stringify({ agent_id: apId, command }),
          skipped,
        })),
      )
      await store.insert(tx, shared, some)
    }
  }

  /** The selected agents, with the reason where one gets no command. */
  async #candidates(body: CommandToMany & { command: string }, caller: Caller) {
    const { command, agents, technology, area } = body
    if (!agents && !technology && !area)
      throw invalid([
        {
          loc: ['body'],
          msg: 'Value error, say which agents: agents, technology or area',
          type: 'value_error',
        },
      ])
    const selected = await this.#options.fleet.choose(
      {
        // Agents that are named are requested.
        view: viewOf(caller, body.emulated ?? (agents ? 'all' : 'own')),
        ...(agents && { ids: agents }),
        ...(technology && { technologies: [technology] }),
        ...(area && { box: area }),
      },
      maxAgents + 1,
    )
    if (selected.length > maxAgents)
      throw new Refused('bad-request', `More than ${maxAgents} agents match. Narrow the selection.`)
    const found = new Set(selected.map(({ apId }) => apId))
    const missing = [...new Set(agents)].filter((apId) => !found.has(apId))
    const candidates: { apId: string; skipped?: string }[] = [
      ...selected.map(({ apId, configuration }) =>
        acceptsCommand(configuration, command)
          ? { apId }
          : { apId, skipped: 'It does not list this command.' },
      ),
      ...missing.map((apId) => ({
        apId,
        skipped: 'There is no such agent, or it does not match the selection.',
      })),
    ]
    if (candidates.length === 0) throw notFound('Agent')
    return candidates
  }
}

const missingCommand = () => invalid([{ loc: ['body', 'command'], msg: 'Field required', type: 'missing' }])

const besideCommands = () =>
  invalid([
    {
      loc: ['body', 'commands'],
      msg: 'Value error, commands should be the only member; send other commands in another request',
      type: 'value_error',
    },
  ])
