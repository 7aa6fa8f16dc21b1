import type { DecisionCreate, ValidationItem } from '@manc/contract'

/** What the schema cannot say. */
export function wrongMembers({ mode, commands = [] }: DecisionCreate): ValidationItem[] {
  const wrong = (msg: string): ValidationItem => ({
    loc: ['body', 'commands'],
    msg: `Value error, ${msg}`,
    type: 'value_error',
  })
  const ids = commands.map(({ ap_id: apId }) => apId)
  return [
    ...(mode !== 'watch' && commands.length === 0 ? [wrong(`mode ${mode} needs at least one command`)] : []),
    ...(new Set(ids).size < ids.length
      ? [wrong('at most one command for each access point: send the others with another decision')]
      : []),
  ]
}

/** Every access point that a decision names. */
export const namedAgents = ({ observed = [], expected, commands = [] }: DecisionCreate): string[] => [
  ...new Set([...observed, ...expected, ...commands].map(({ ap_id: apId }) => apId)),
]

/** Those on whose timelines it is shown: of its commands, or, without any, of its expected effect. */
export const affectedAgents = (decision: {
  commands: readonly { apId: string }[]
  expected: readonly { ap_id: string }[]
}): string[] => [
  ...new Set(
    decision.commands.length > 0
      ? decision.commands.map(({ apId }) => apId)
      : decision.expected.map(({ ap_id: apId }) => apId),
  ),
]
