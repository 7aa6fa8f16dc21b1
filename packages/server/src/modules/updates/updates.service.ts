import {
  agentRoutingKey,
  exchanges,
  maxMessageBytes,
  sentByHeader,
  type UpdateAccepted,
} from '@manc/contract'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../access.ts'
import type { Postgres } from '../../engines/postgres.ts'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { forbidden, invalid, Refused } from '../../errors.ts'
import type { AgentService } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { CommandDesk, CommandService } from '../commands/index.ts'
import type { FleetService } from '../fleet/index.ts'
import {
  type AgentAttributesService,
  deeperThan,
  deepestJson,
  isObject,
  payloadOf,
  readSample,
  type SampleLimits,
  type SentSample,
  samplesOf,
  UnfitSample,
} from '../ingest/index.ts'

type Body = Record<string, unknown>

interface Said {
  apId: string
  status: string
  connectedAt: Date | undefined
}

const largestConfiguration = 65_536

/** All that an agent sends over HTTP, sorted to where it belongs. */
export class UpdateService {
  readonly #postgres: Postgres
  readonly #agents: AgentService
  readonly #rabbitMq: RabbitMq
  readonly #limits: SampleLimits
  readonly #attributes: AgentAttributesService
  readonly #fleet: FleetService
  readonly #commands: CommandService
  readonly #desk: CommandDesk
  /** Agents that have been onboarded: the first update of each asks the database, later ones do not. */
  readonly #onboarded = new LRUCache<string, true>({ max: 200_000 })

  constructor(parts: {
    postgres: Postgres
    agents: AgentService
    rabbitMq: RabbitMq
    limits: SampleLimits
    attributes: AgentAttributesService
    fleet: FleetService
    commands: CommandService
    desk: CommandDesk
  }) {
    this.#postgres = parts.postgres
    this.#agents = parts.agents
    this.#rabbitMq = parts.rabbitMq
    this.#limits = parts.limits
    this.#attributes = parts.attributes
    this.#fleet = parts.fleet
    this.#commands = parts.commands
    this.#desk = parts.desk
  }

  async accept(body: Body, caller: Caller, by: Actor): Promise<UpdateAccepted> {
    const apId = await this.#agentOf(body, caller)
    const samples = samplesOf(body)
    // Everything is looked at before anything is done.
    const contents = samples.length > 0 ? this.#checked(samples) : []
    const configuration = configurationOf(body)
    if (configuration) await this.#agents.update(apId, { configuration }, by)
    if (caller.kind === 'agent') await this.#onboard(apId)
    else if (contents.length > 0)
      await recordAudit(this.#postgres.db, by, { action: 'agent.send-samples', target: apId })
    await Promise.all(
      contents.map((content) =>
        this.#rabbitMq.publish({
          exchange: exchanges.agents,
          routingKey: agentRoutingKey(apId, 'data'),
          content,
          // What somebody else sends in its name does not show that the agent is there.
          ...(caller.kind !== 'agent' && { headers: { [sentByHeader]: caller.kind } }),
        }),
      ),
    )
    await this.#commands.heard(resultsOf(body).map((said) => ({ apId, said })))
    return {
      status: 'success',
      detail: summary(samples.length, configuration),
      accepted: samples.length,
      commands: caller.kind === 'agent' ? await this.#desk.take(apId) : [],
    }
  }

  /** Whether agents are there, as they say. After an outage thousands say so at once: they are written together. */
  async heardStatuses(messages: { apId: string; text: string }[]): Promise<void> {
    const newest = new Map<string, Said>()
    for (const { apId, text } of messages) {
      const said = { apId, ...statusOf(text) }
      const known = newest.get(apId)
      if (!known?.connectedAt || !said.connectedAt || said.connectedAt >= known.connectedAt)
        newest.set(apId, said)
    }
    const statuses = [...newest.values()]
    await this.#attributes.writeStatuses(statuses)
    await this.#fleet.applyStatuses(
      statuses.map(({ status, ...rest }) => ({ ...rest, isDisconnect: isDisconnect(status) })),
    )
  }

  /** What agents say of commands; tells of each message whether it was that. */
  heardResults(messages: { apId: string; text: string }[]): Promise<boolean[]> {
    return this.#commands.heard(messages.map(({ apId, text }) => ({ apId, said: newsIn(text) })))
  }

  /** A message on another of the agent's topics; throws a refusal where it cannot be used. */
  async heard(apId: string, kind: string, text: string): Promise<void> {
    const by: Actor = { kind: 'agent', name: apId }
    switch (kind) {
      case 'onboard': {
        const body = objectOf(text)
        // The configuration itself, or wrapped as in an update over HTTP.
        const configuration = configurationOf('configuration' in body ? body : { configuration: body })
        if (configuration) await this.#agents.update(apId, { configuration }, by)
        return this.#onboard(apId)
      }
      default:
        throw new Refused('bad-request', `nothing is known of ${kind}`)
    }
  }

  async #agentOf({ ap_id: named }: Body, caller: Caller): Promise<string> {
    if (caller.kind === 'agent') {
      if (named !== undefined && named !== null && named !== caller.name) throw forbidden()
      return caller.name
    }
    if (typeof named !== 'string')
      throw invalid([{ loc: ['body', 'ap_id'], msg: 'Field required', type: 'missing' }])
    return (await this.#agents.get(named)).apId
  }

  async #onboard(apId: string): Promise<void> {
    if (this.#onboarded.has(apId)) return
    await this.#agents.markOnboard([apId])
    this.#onboarded.set(apId, true)
  }

  /** The messages for the ingester, each sample with its time: sent twice, it is stored once. */
  #checked(samples: SentSample[]): Buffer[] {
    const nowMs = Date.now()
    const unfit: { loc: (string | number)[]; msg: string; type: string }[] = []
    const checked = samples.map(({ ts, payload }, index) => {
      try {
        return { ts: readSample(payload, ts, nowMs, this.#limits).tsMs, payload }
      } catch (error) {
        if (!(error instanceof UnfitSample)) throw error
        const loc = samples.length === 1 ? ['body'] : ['body', 'samples', index]
        unfit.push({ loc, msg: `Value error, ${error.message}`, type: 'value_error' })
        return undefined
      }
    })
    if (unfit.length > 0) throw invalid(unfit)
    return messagesOf(checked)
  }
}

/** With their times written out, samples may be more than one message holds: as many messages as it takes. */
function messagesOf(samples: readonly unknown[]): Buffer[] {
  const content = Buffer.from(JSON.stringify({ samples }))
  if (content.length <= maxMessageBytes) return [content]
  if (samples.length === 1)
    throw invalid([{ loc: ['body'], msg: 'Value error, a sample has at most 1 MiB', type: 'value_error' }])
  const half = Math.ceil(samples.length / 2)
  return [...messagesOf(samples.slice(0, half)), ...messagesOf(samples.slice(half))]
}

/** At most as many as commands are handed out at once. */
function resultsOf({ results }: Body): Body[] {
  return Array.isArray(results) ? results.filter((said) => isObject(said)).slice(0, 100) : []
}

/** Nothing, where there is none in it. */
function newsIn(text: string): Body {
  try {
    return objectOf(text)
  } catch {
    return {}
  }
}

function objectOf(text: string): Body {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value) && !deeperThan(value, deepestJson)) return value
  } catch {
    // Told below, like anything else that is no object.
  }
  throw new Refused('bad-request', 'no JSON object, or one that is nested too deeply')
}

/**
 * `online`, `{"status": "online"}` and the like, shortened to what fits a label. An agent that says when the connection
 * began which it tells of (`connected_at`) can be told apart from its older self.
 */
function statusOf(text: string): Omit<Said, 'apId'> {
  const said = payloadOf(text)
  const status = said?.['status'] ?? said?.['state']
  const connectedAt = new Date(typeof said?.['connected_at'] === 'string' ? said['connected_at'] : Number.NaN)
  const year = connectedAt.getUTCFullYear()
  return {
    status: (typeof status === 'string' ? status : text)
      .trim()
      .slice(0, 64)
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- they are what is taken out
      .replaceAll(/[\u0000-\u001f]/g, ''),
    // The database knows fewer years than a Date.
    connectedAt: year >= 2000 && year < 2200 ? connectedAt : undefined,
  }
}

const isDisconnect = (status: string) => /^"?(off|down|gone|left|lost|dead|disconnect)/i.test(status)

function configurationOf({ configuration }: Body): Record<string, unknown> | undefined {
  if (configuration === undefined || configuration === null) return undefined
  const refused = (type: string, msg: string) => invalid([{ loc: ['body', 'configuration'], msg, type }])
  if (typeof configuration !== 'object' || Array.isArray(configuration))
    throw refused('dict_type', 'Input should be a valid dictionary')
  if (Buffer.byteLength(JSON.stringify(configuration)) > largestConfiguration)
    throw refused('too_long', `Value should have at most ${largestConfiguration} bytes as JSON`)
  return configuration as Record<string, unknown>
}

function summary(samples: number, configuration: unknown): string {
  const done = [
    ...(configuration ? ['the configuration is stored'] : []),
    ...(samples > 0 ? [`${samples} ${samples === 1 ? 'sample is' : 'samples are'} safe`] : []),
  ]
  return done.length > 0 ? `Accepted: ${done.join(', ')}.` : 'Accepted: nothing to store.'
}
