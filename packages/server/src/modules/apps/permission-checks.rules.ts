import { allScopes, operations, type Scope, type ValidationItem } from '@manc/contract'
import { namedGrants } from './permissions.rules.ts'

type Members = Record<string, unknown>

const scopeNames = allScopes.map((scope) => `'${scope}'`)
const notAScope = `Input should be ${scopeNames.slice(0, -1).join(', ')} or ${scopeNames.at(-1)}`
const notPatterns = 'Value error, agents should be a list of ap_id patterns, or true for all agents'

/**
 * Members of permissions with which an app would have other rights than their author meant. The interface leaves the
 * object open, so members without a meaning here are accepted: `permissionWarning` reports them.
 */
export function permissionProblems(permissions: Members): ValidationItem[] {
  return [
    ...scopesProblems(permissions),
    ...agentsProblems(permissions),
    ...sandboxProblems(permissions),
    ...grantProblems(permissions),
  ]
}

const item = (loc: (string | number)[], type: string, msg: string): ValidationItem => ({
  loc: ['body', 'permissions', ...loc],
  msg,
  type,
})

function scopesProblems({ scopes }: Members): ValidationItem[] {
  if (scopes === undefined) return []
  if (!Array.isArray(scopes)) return [item(['scopes'], 'list_type', 'Input should be a valid list')]
  return scopes.flatMap((scope, index) =>
    allScopes.includes(scope as Scope) ? [] : [item(['scopes', index], 'literal_error', notAScope)],
  )
}

function agentsProblems({ agents }: Members): ValidationItem[] {
  const isValid =
    agents === undefined ||
    typeof agents === 'boolean' ||
    typeof agents === 'string' ||
    (Array.isArray(agents) && agents.every((pattern) => typeof pattern === 'string'))
  return isValid ? [] : [item(['agents'], 'value_error', notPatterns)]
}

const sandboxProblems = ({ sandbox }: Members): ValidationItem[] =>
  sandbox === undefined || typeof sandbox === 'boolean'
    ? []
    : [item(['sandbox'], 'bool_type', 'Input should be a valid boolean')]

/** Path segments such as `commands` are ordinary words and may have another meaning for the caller: not checked. */
const grantNames = new Set<string>([...allScopes, ...Object.keys(operations)])

const grantProblems = (permissions: Members): ValidationItem[] =>
  Object.entries(permissions).flatMap(([name, granted]) =>
    grantNames.has(name) && typeof granted !== 'boolean'
      ? [item([name], 'bool_type', 'Input should be a valid boolean')]
      : [],
  )

const maxNames = 5
const maxNameLength = 64

/** A `Warning` header [RFC 7234, 5.5] for members that are stored but have no effect; undefined if there are none. */
export function permissionWarning(permissions: Members): string | undefined {
  const { priority } = permissions
  const ignored = ignoredMembers(permissions)
  const names = ignored.slice(0, maxNames).map((name) => printable(name.slice(0, maxNameLength)))
  const more = ignored.length > maxNames ? ` and ${ignored.length - maxNames} more` : ''
  const warnings = [
    ...(priority === undefined || Number.isSafeInteger(priority)
      ? []
      : ['priority of permissions is not an integer and counts as 0']),
    ...(ignored.length > 0 ? [`Members of permissions without a meaning: ${names.join(', ')}${more}`] : []),
  ]
  return warnings.length > 0 ? `299 - "${warnings.join('; ')}"` : undefined
}

function ignoredMembers(permissions: Members): string[] {
  const granted = namedGrants(permissions)
  const isRecognised = (name: string) =>
    ['scopes', 'agents', 'priority', 'sandbox'].includes(name) ||
    grantNames.has(name) ||
    Object.hasOwn(granted, name)
  return Object.keys(permissions).filter((name) => !isRecognised(name))
}

/** A header has printable ASCII characters; `"` and `\` would end the quoted text. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, '?')
