import type { DecisionCreate, ValidationItem } from '@manc/contract'

/** What the schema cannot say. */
export function wrongMembers({ mode, commands = [] }: DecisionCreate): ValidationItem[] {
  if (mode === 'watch' || commands.length > 0) return []
  const msg = `Value error, mode ${mode} needs at least one command`
  return [{ loc: ['body', 'commands'], msg, type: 'value_error' }]
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
