/** The settings are invalid. Each line names a member and says what to write. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings'
  /** Files that the settings name: one of them may have to be corrected. */
  readonly files: readonly string[]

  constructor(message: string, files: readonly string[] = []) {
    super(message)
    this.files = files
  }
}
