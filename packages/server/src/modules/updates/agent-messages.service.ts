import { Refused } from '../../errors.ts'
import type { Actor } from '../audit/index.ts'
import type { ClientReportService } from '../clients/index.ts'
import type { CommandService } from '../commands/index.ts'
import type { FleetService } from '../fleet/index.ts'
import { type AgentAttributesService, isNestedDeeper, isObject, maxJsonDepth } from '../ingest/index.ts'
import { configurationOf } from './configuration.format.ts'
import type { OnboardingService } from './onboarding.service.ts'
import { type AgentStatus, isDisconnect, parseStatus } from './status.format.ts'

export interface AgentMessage {
  apId: string
  text: string
  /** When the broker received it. */
  receivedMs: number
}

interface Deps {
  onboarding: OnboardingService
  attributes: AgentAttributesService
  fleet: FleetService
  commands: CommandService
  clients: ClientReportService
}

/** Messages that agents publish over MQTT besides samples. */
export class AgentMessageService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** After an outage thousands arrive at once: the newest of each agent are written as a batch. */
  async handleStatuses(messages: readonly AgentMessage[]): Promise<void> {
    const newest = new Map<string, AgentStatus & { apId: string }>()
    for (const { apId, text } of messages) {
      const next = { apId, ...parseStatus(text) }
      const known = newest.get(apId)
      if (!known?.connectedAt || !next.connectedAt || next.connectedAt >= known.connectedAt)
        newest.set(apId, next)
    }
    const statuses = [...newest.values()]
    await this.#deps.attributes.writeStatuses(statuses)
    await this.#deps.fleet.applyStatuses(
      statuses.map(({ apId, status, connectedAt }) => ({
        apId,
        connectedAt,
        isDisconnect: isDisconnect(status),
      })),
    )
  }

  /** Clients that have attached to agents or left them. */
  handleClients(messages: readonly AgentMessage[]): Promise<void> {
    return this.#deps.clients.handle(messages)
  }

  /** Reports on commands. Returns for each message whether it changed a command of its agent. */
  handleResults(messages: readonly AgentMessage[]): Promise<boolean[]> {
    return this.#deps.commands.handleReports(
      messages.map(({ apId, text }) => ({ apId, report: reportIn(text) })),
    )
  }

  /** Throws `Refused` if the configuration is invalid. */
  async handleOnboard({ apId, text }: AgentMessage): Promise<void> {
    const by: Actor = { kind: 'agent', name: apId }
    const body = parseObject(text)
    // The configuration itself, or wrapped as in an update over HTTP.
    const configuration = configurationOf('configuration' in body ? body : { configuration: body })
    await this.#deps.onboarding.configure(apId, configuration, by)
    await this.#deps.onboarding.markOnboard(apId)
    // Agents send their configuration with every connection.
    await this.#deps.commands.agentConnected(apId)
  }
}

/** Invalid JSON is an empty report, which changes no command. */
function reportIn(text: string): Record<string, unknown> {
  try {
    return parseObject(text)
  } catch {
    return {}
  }
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (isObject(value) && !isNestedDeeper(value, maxJsonDepth)) return value
  throw new Refused('bad-request', 'no JSON object, or one that is nested too deeply')
}
