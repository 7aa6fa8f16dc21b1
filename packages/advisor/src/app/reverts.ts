import type { Client, Decision, DecisionCreate } from '@manc/sdk'
import { outcomeOf, steeringOf } from './outcomes.ts'

/** A decision that moves the clients of another one back, as far as they are still where it moved them; undefined if none is. */
export function revertOf(
  decision: Decision,
  clients: ReadonlyMap<string, Client>,
  expiresS: number,
): DecisionCreate | undefined {
  const commands = decision.commands.flatMap((command) => {
    const steering = steeringOf(command.command)
    if (!steering || outcomeOf(command).kind !== 'done') return []
    const { client, to } = steering
    if (clients.get(client)?.ap_id !== to) return []
    return { ap_id: to, command: `steer_client ${client} ${command.ap_id}` }
  })
  const expected = (decision.measured ?? []).flatMap(({ ap_id: apId, kpi, before, after }) =>
    before === null ? [] : { ap_id: apId, kpi, from: after, to: before },
  )
  if (commands.length === 0 || expected.length === 0) return undefined
  return {
    policy: decision.policy,
    mode: decision.mode,
    expires_in_s: expiresS,
    reason: `The highest load of these access points is higher than before the decision of ${decision.created_at}. Its clients should move back.`,
    client: decision.client,
    expected,
    commands,
    reverts: decision.id,
  }
}

/** Clients that a decision is about. */
export const clientsOf = ({ commands }: Pick<Decision, 'commands'>): string[] =>
  commands.flatMap(({ command }) => steeringOf(command)?.client ?? [])
