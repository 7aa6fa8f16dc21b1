/** An error that the user can fix. The message says what to do next; the stack is not shown. */
export class LabError extends Error {
  override readonly name = 'LabError'
}
