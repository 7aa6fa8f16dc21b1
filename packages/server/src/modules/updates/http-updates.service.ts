import type { UpdateAccepted } from '@manc/contract'
import type { Caller } from '../../access.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import type { SampleRates } from '../agent-limits/index.ts'
import type { AgentService } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { CommandService, PendingCommands } from '../commands/index.ts'
import { isObject, samplesOf } from '../ingest/index.ts'
import { configurationOf } from './configuration.format.ts'
import type { OnboardingService } from './onboarding.service.ts'
import type { SamplesPublisher } from './samples.publisher.ts'

type Body = Record<string, unknown>

interface Deps {
  postgres: Postgres
  agents: AgentService
  onboarding: OnboardingService
  samples: SamplesPublisher
  rates: SampleRates
  commands: CommandService
  pendingCommands: PendingCommands
}

/** As many as pending commands are handed out at once. */
const maxResults = 100

/** Updates over HTTP: samples, the configuration and results of commands, of an agent or in its name. */
export class HttpUpdateService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async accept(body: Body, caller: Caller, by: Actor): Promise<UpdateAccepted> {
    const { postgres, onboarding, samples: publisher, rates, commands, pendingCommands } = this.#deps
    const apId = await this.#agentOf(body, caller)
    // Before the samples are validated: thousands of them in a request that is refused would cost as much as accepted ones.
    if (caller.kind === 'agent') rates.check(apId)
    // Everything is validated before anything is stored.
    const samples = samplesOf(body)
    const messages = publisher.messagesOf(samples)
    const configuration = configurationOf(body)
    if (caller.kind === 'agent') rates.take(apId, samples.length, sum(messages.map(({ length }) => length)))
    await onboarding.configure(apId, configuration, by)
    if (caller.kind === 'agent') await onboarding.markOnboard(apId)
    else if (messages.length > 0)
      await recordAudit(postgres.db, by, { action: 'agent.send-samples', target: apId })
    await publisher.publish(apId, messages, caller.kind)
    await commands.handleReports(resultsOf(body).map((report) => ({ apId, report })))
    return {
      status: 'success',
      detail: summaryOf(samples.length, configuration),
      accepted: samples.length,
      commands: caller.kind === 'agent' ? await pendingCommands.take(apId) : [],
    }
  }

  async #agentOf({ ap_id: apId }: Body, caller: Caller): Promise<string> {
    if (caller.kind === 'agent') {
      if (apId !== undefined && apId !== null && apId !== caller.name) throw forbidden()
      return caller.name
    }
    if (typeof apId !== 'string')
      throw invalid([{ loc: ['body', 'ap_id'], msg: 'Field required', type: 'missing' }])
    // PostgreSQL refuses U+0000, which no id contains.
    if (apId.includes('\0')) throw notFound('Agent')
    return (await this.#deps.agents.get(apId)).apId
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function resultsOf({ results }: Body): Body[] {
  return Array.isArray(results) ? results.filter((result) => isObject(result)).slice(0, maxResults) : []
}

function summaryOf(samples: number, configuration: unknown): string {
  const done = [
    ...(configuration ? ['the configuration is stored'] : []),
    ...(samples > 0 ? [`${samples} ${samples === 1 ? 'sample is' : 'samples are'} safe`] : []),
  ]
  return done.length > 0 ? `Accepted: ${done.join(', ')}.` : 'Accepted: nothing to store.'
}
