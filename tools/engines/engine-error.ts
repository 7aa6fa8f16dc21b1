/** A failure that a person can act on: its message says what to do next, and its stack is of no help. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError'
}

/** Another program took one of our ports between choosing it and listening on it. */
export class PortClashError extends EngineError {
  override readonly name = 'PortClashError'
}
