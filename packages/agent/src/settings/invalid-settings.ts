/** The settings are invalid. Each line names a member and says what to write. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings'
}
