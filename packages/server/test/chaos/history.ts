import { openSync, readFileSync, writeSync } from 'node:fs'

/**
 * What callers and agents do. `mqtt` and `http` are samples; `register` and `remove` are of agents, `account` is a new user;
 * `probe` is the use of a revoked token; `read` is a chart with the newest samples.
 */
export type Kind =
  | 'mqtt'
  | 'http'
  | 'login'
  | 'account'
  | 'register'
  | 'remove'
  | 'revoke'
  | 'probe'
  | 'job'
  | 'command'
  | 'changes'
  | 'read'

/** How an operation ended. `unknown`: there was no response, so that it may have been carried out. */
export type Outcome = 'ok' | 'fail' | 'unknown'

/** One line of a recorded history. `at` is in milliseconds. */
export type HistoryEvent = { at: number } & (
  | Configured
  | { type: 'invoke'; id: string; kind: Kind; subject?: string }
  /** `detail` is the status, or the code of the error. */
  | { type: Outcome; id: string; detail?: string }
  /** `effective`: the fault has been caused. `end`: everything that was lost is back. `over`: the workload ends. */
  | { type: 'fault'; phase: 'begin' | 'effective' | 'end' | 'over' }
  /** The last message of an accepted job or command. */
  | { type: 'ended'; id: string; state: string; isWrong: boolean }
  /** An agent has executed a command. */
  | { type: 'executed'; subject: string }
  /** What a store has of one sample: correct points, repeated points and points with another value. */
  | { type: 'stored'; store: string; subject: string; points: number; repeated: number; wrong: number }
  /** State by agent: as a follower of changes knows them, and as the list has them at the end. */
  | { type: 'fleet'; source: 'followed' | 'listed'; agents: Record<string, string> }
  /** A process or a step of the run that failed. */
  | { type: 'problem'; detail: string }
)

interface Configured {
  type: 'configured'
  name: string
  seed: number
  /** Metrics of each sample. */
  metrics: number
  stores: string[]
  /** Each kind of operation must succeed again within this time, counted from the begin or the end of the fault. */
  recovery: { from: 'begin' | 'end'; withinS: number }
  /** How long a token may be accepted after its revocation was acknowledged. */
  revocationMs: number
}

export type EventOf<Type extends HistoryEvent['type']> = Extract<HistoryEvent, { type: Type }>

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never

/** A file with one JSON object a line. */
export class History {
  readonly file: string
  readonly #open: number
  #operations = 0

  constructor(file: string) {
    this.file = file
    this.#open = openSync(file, 'w')
  }

  add(event: WithoutTime<HistoryEvent>, at = Date.now()): void {
    writeSync(this.#open, `${JSON.stringify({ at, ...event })}\n`)
  }

  /** Records the begin of an operation; gives its id. */
  invoke(kind: Kind, subject?: string): string {
    const id = `${kind}-${++this.#operations}`
    this.add({ type: 'invoke', id, kind, ...(subject !== undefined && { subject }) })
    return id
  }

  read(): HistoryEvent[] {
    return readHistory(this.file)
  }
}

export function readHistory(file: string): HistoryEvent[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as HistoryEvent)
}
