import { emulatedApIdPrefixes } from '@manc/contract'

/**
 * Any value but `false` restricts the app: a malformed member must not grant more. The controller assigns the ids of
 * emulated access points and registers no other one with their prefixes.
 */
export const isSandboxed = ({ sandbox }: Record<string, unknown>): boolean =>
  sandbox !== undefined && sandbox !== false

/**
 * The patterns for ids of emulated access points that the given patterns cover. Every id that they match is matched by one
 * of the given patterns as well. An id in which the rest of a pattern overlaps the prefix is left out.
 */
export const withinSandbox = (patterns: readonly string[]): string[] => [
  ...new Set(
    patterns.flatMap((pattern) => emulatedApIdPrefixes.flatMap((prefix) => within(pattern, prefix))),
  ),
]

function within(pattern: string, prefix: string): string[] {
  const star = pattern.indexOf('*')
  const head = star < 0 ? pattern : pattern.slice(0, star)
  if (head.startsWith(prefix)) return [pattern]
  return star >= 0 && prefix.startsWith(head) ? [prefix + pattern.slice(star)] : []
}
