const maxBytes = 65_536

export type Configuration = Record<string, unknown>

/** What a text would set; or what is wrong with it, for whoever wrote it. */
export function parseConfiguration(
  text: string,
): { value: Configuration; problem?: undefined } | { value?: undefined; problem: string } {
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxBytes)
    return { problem: `The limit is 64 KiB; this is ${Math.ceil(bytes / 1024)} KiB. Remove some values.` }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Configuration }
    return { problem: 'The configuration must be a JSON object: start with { and end with }.' }
  } catch (error) {
    return { problem: `Invalid JSON: ${(error as Error).message}` }
  }
}

export interface Change {
  /** `geolocation.latitude` */
  path: string
  /** As JSON; undefined where it was not there, or is no more. */
  before: string | undefined
  after: string | undefined
}

/** What differs, down to single values, in the order of their names. */
export function changesBetween(before: Configuration, after: Configuration): Change[] {
  const [old, fresh] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((path) => old.get(path) !== fresh.get(path))
    .sort()
    .map((path) => ({ path, before: old.get(path), after: fresh.get(path) }))
}

function leavesOf(value: Configuration, path = ''): Map<string, string> {
  const leaves = new Map<string, string>()
  for (const [name, each] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`
    const isBranch =
      typeof each === 'object' && each !== null && !Array.isArray(each) && Object.keys(each).length > 0
    if (!isBranch) leaves.set(here, JSON.stringify(each))
    else for (const [leaf, text] of leavesOf(each as Configuration, here)) leaves.set(leaf, text)
  }
  return leaves
}
