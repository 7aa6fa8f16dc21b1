import type { Sample } from './sample.ts'

/** A way to the controller. Whatever fails is thrown, and tried again by the caller. */
export interface Channel {
  readonly isConnected: boolean
  /** Something other than samples is left to say. */
  readonly hasNews: boolean
  /** How long it may be left alone; undefined: until there is something to say. */
  readonly restMs: number | undefined
  /** Resolves when there is somebody to deliver to. */
  connect(signal: AbortSignal): Promise<void>
  onboard(configuration: Record<string, unknown>, signal: AbortSignal): Promise<void>
  /** Resolved means safe. */
  deliver(samples: readonly Sample[], signal: AbortSignal): Promise<void>
  /** Says what is left to say, and asks for commands where they have to be asked for. */
  exchange(signal: AbortSignal): Promise<void>
  /** `isIdle`: nothing is on its way. */
  stop(isIdle: boolean): Promise<void>
}
