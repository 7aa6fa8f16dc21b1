import type { AgentClientsMessage } from '@manc/contract'
import type { Sample } from './sample.ts'

/** A connection to the controller. Failures are thrown, and the caller retries. */
export interface Channel {
  readonly isConnected: boolean
  /** Command results wait to be sent. */
  readonly hasPendingResults: boolean
  /** How long until `exchange` is due; undefined: only when there is something to send. */
  readonly idleMs: number | undefined
  /** How often it has connected. */
  readonly connections?: number
  /** Resolves when messages can be delivered. */
  connect(signal: AbortSignal): Promise<void>
  onboard(configuration: Record<string, unknown>, signal: AbortSignal): Promise<void>
  /** Resolves when the controller has stored the samples safely. */
  deliver(samples: readonly Sample[], signal: AbortSignal): Promise<void>
  /** Sends pending results, and polls for commands where they are not pushed. */
  exchange(signal: AbortSignal): Promise<void>
  /** Absent where clients cannot be reported. */
  reportClients?(message: AgentClientsMessage): Promise<void>
  /** `isIdle`: no delivery is in progress. */
  stop(isIdle: boolean): Promise<void>
}
