const maxBytes = 65_536

export type Configuration = Record<string, unknown>

/** The configuration in a text, or an error message for the user. */
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
  /** As JSON; undefined if the value was added or removed. */
  before: string | undefined
  after: string | undefined
}

/** The differences between two configurations, by single value, sorted by path. */
export function changesBetween(before: Configuration, after: Configuration): Change[] {
  const [previous, current] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...previous.keys(), ...current.keys()])]
    .filter((path) => previous.get(path) !== current.get(path))
    .sort()
    .map((path) => ({ path, before: previous.get(path), after: current.get(path) }))
}

function leavesOf(value: Configuration, path = ''): Map<string, string> {
  const leaves = new Map<string, string>()
  for (const [name, each] of Object.entries(value)) {
    const childPath = path === '' ? name : `${path}.${name}`
    const isBranch =
      typeof each === 'object' && each !== null && !Array.isArray(each) && Object.keys(each).length > 0
    if (!isBranch) leaves.set(childPath, JSON.stringify(each))
    else for (const [leaf, text] of leavesOf(each as Configuration, childPath)) leaves.set(leaf, text)
  }
  return leaves
}
