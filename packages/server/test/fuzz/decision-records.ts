import type { Decision } from '@manc/contract'
import { call, tokenOf } from '@manc/harness'
import { keyMark, onlineAgents, placeholders } from './names.ts'
import { keptToken, type Parties, send } from './parties.ts'
import type { Kind } from './record-kinds.ts'

const app = {
  app_name: 'deciding-app',
  api_key: `${keyMark}-of-deciding-app`,
  // No command of another app reserves an access point against it.
  permissions: { scopes: ['decisions:read', 'decisions:write', 'commands:send'], priority: 1000 },
}

const decisionOf = (apId: string, mode: string) => ({
  policy: 'fuzz',
  mode,
  reason: 'a test',
  expected: [{ ap_id: apId, kpi: 'load_pct', from: 90, to: 50 }],
  commands: [{ ap_id: apId, command: 'set_power 10' }],
  expires_in_s: 86_400,
})

/** Open proposals of an app, and executed decisions of the administrator, which can be reverted. */
export function decisionKinds(parties: Parties): Kind[] {
  const token = keptToken(() => appToken(parties))
  const create = async (index: number, mode: string, by?: string) => {
    const apId = onlineAgents[index % onlineAgents.length] ?? ''
    const decision: Decision = await send(parties, 'POST', 'decisions', decisionOf(apId, mode), by)
    return decision.id
  }
  return [
    {
      placeholders: placeholders.proposals,
      list: 'decisions?state=proposed&limit=1000',
      isUsable: () => true,
      create: async (index) => create(index, 'advise', await token()),
      remove: { method: 'POST', path: (id) => `decisions/${id}/reject`, applies: () => true },
    },
    {
      placeholders: placeholders.executed,
      list: 'decisions?state=executed&state=measured&limit=1000',
      isUsable: () => true,
      create: (index) => create(index, 'act'),
    },
  ]
}

async function appToken({ url, adminToken }: Parties): Promise<string> {
  await call(url, 'POST', '/api/v1/third_party_apps/', { token: await adminToken(), body: app })
  return tokenOf(url, 'third_party_app', app.app_name, app.api_key)
}
