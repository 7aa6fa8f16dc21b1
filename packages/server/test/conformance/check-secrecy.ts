import type { Checks } from './checks.ts'
import { isObject } from './document.ts'
import type { ConformanceEnvironment } from './environment.ts'
import type { Reply } from './request.ts'

/** No answer, success or refusal, may contain a password that is in use anywhere. */
export function checkSecrecy(
  environment: ConformanceEnvironment,
  what: string,
  reply: Reply,
  checks: Checks,
): void {
  const isSeen = [...environment.passwords].some((password) => reply.text.includes(password))
  checks.holds(`${what}: no password in the reply`, !isSeen, 'none', reply.text)
}

/** What is printed may be kept in a public log. */
export function masked(environment: ConformanceEnvironment, text: string): string {
  return [...environment.passwords].reduce((shown, password) => shown.replaceAll(password, '***'), text)
}

/** Names of members, at any depth, that would give a password away. */
export function passwordMembers(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(passwordMembers)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(/passw|^hash|_hash$/i.test(name) ? [name] : []),
    ...passwordMembers(member),
  ])
}
