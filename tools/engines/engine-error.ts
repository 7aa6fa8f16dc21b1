/** An error that the user can fix. The message says what to do next; the stack is not shown. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError'
}

/** Another program took one of our ports between choosing it and listening on it. */
export class PortClashError extends EngineError {
  override readonly name = 'PortClashError'
}
