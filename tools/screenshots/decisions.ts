/** Decisions of an advisor, in all three modes, and an experiment that compares its policies. */
import { Manc } from '@manc/sdk'

const app = { name: 'advisor', key: 'a-key-of-advisor' }

/** One decision was executed and is measured a minute later; one waits for a person. */
export async function createDecisions(manc: Manc, url: string): Promise<void> {
  const scopes = ['decisions:read', 'decisions:write', 'commands:send']
  await manc.apps.register({ app_name: app.name, api_key: app.key, permissions: { scopes } })
  const advisor = new Manc({
    url,
    credentials: { loginType: 'third_party_app', username: app.name, password: app.key },
  })
  const at = new Date()
  await advisor.decisions.create({
    policy: 'energy-first',
    mode: 'act',
    reason: 'library-wifi-3 has few clients, and all of them are near.',
    observed: [{ ap_id: 'library-wifi-3', kpi: 'load_pct', value: 21, at }],
    expected: [{ ap_id: 'library-wifi-3', kpi: 'power_w', from: 10, to: 9 }],
    commands: [{ ap_id: 'library-wifi-3', command: 'set_power 14' }],
  })
  await advisor.decisions.create({
    policy: 'lifi-first',
    mode: 'watch',
    reason: 'Clients of physics-wifi-1 sit below physics-lifi-2, which has free capacity.',
    observed: [{ ap_id: 'physics-wifi-1', kpi: 'clients', value: 31, at }],
    expected: [
      { ap_id: 'physics-wifi-1', kpi: 'clients', from: 31, to: 24 },
      { ap_id: 'physics-lifi-2', kpi: 'clients', from: 3, to: 10 },
    ],
  })
  await advisor.decisions.create({
    policy: 'load-balancing',
    mode: 'advise',
    reason: 'hall-wifi-2 is saturated. hall-wifi-1 and hall-5g-1 cover its clients and have free capacity.',
    observed: [
      { ap_id: 'hall-wifi-2', kpi: 'load_pct', value: 99, at },
      { ap_id: 'hall-wifi-1', kpi: 'load_pct', value: 58, at },
    ],
    expected: [
      { ap_id: 'hall-wifi-2', kpi: 'load_pct', from: 99, to: 74 },
      { ap_id: 'hall-wifi-1', kpi: 'load_pct', from: 58, to: 71 },
    ],
    commands: [{ ap_id: 'hall-wifi-2', command: 'steer_client hall-wifi-1 10' }],
    expires_in_s: 86_400,
  })
}

/** Returns its id once it has ended. */
export async function runExperiment(manc: Manc): Promise<string> {
  const { id } = await manc.experiments.create({
    name: 'Which policy helps in a lecture?',
    world: { name: 'lecture_rush' },
    policies: ['none', 'strongest', 'best-experience'],
    repetitions: 4,
    duration_s: 600,
  })
  for await (const { finished, runs } of manc.experiments.follow(id))
    console.log(`  experiment: ${finished} of ${runs} runs finished`)
  return id
}
