/** Members of a configuration that name a version, as agents and standards call them. */
const names = ['software_version', 'firmware_version', 'version'] as const
const maxLength = 64

export interface VersionChange {
  name: string
  from: string
  to: string
}

/** Versions that differ between two configurations. One that appears or disappears is no change of the version. */
export function versionChanges(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): VersionChange[] {
  return names.flatMap((name) => {
    const [from, to] = [before[name], after[name]]
    if (typeof from !== 'string' || typeof to !== 'string' || from === to) return []
    return [{ name, from: shortened(from), to: shortened(to) }]
  })
}

/** PostgreSQL cannot store U+0000 and lone surrogates. */
const shortened = (text: string) => text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd')
