type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** [RFC 7396, 2]. Members keep their order. */
export function merged(target: unknown, patch: Members): Members {
  const result: Members = isMembers(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    const after = isMembers(value) ? merged(ownOf(result, name), value) : value
    // Not by assignment: a member may be named __proto__.
    if (after === null) delete result[name]
    else
      Object.defineProperty(result, name, {
        value: after,
        enumerable: true,
        writable: true,
        configurable: true,
      })
  }
  return result
}

/** The members of `configuration` that the patch touches, as they are. */
export const touched = (configuration: Members, patch: Members): Members =>
  Object.fromEntries(
    Object.keys(patch)
      .filter((name) => Object.hasOwn(configuration, name))
      .map((name) => [name, configuration[name]]),
  )

const ownOf = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined
