import type { Alarm, AlarmRule, Silence } from '@manc/contract'
import { call } from '@manc/harness'
import { alertOf } from '../alarms/agents.ts'
import { onlineAgents, placeholders } from './names.ts'
import { type Parties, send, until } from './parties.ts'
import { deletedAt, type Kind, type Stored } from './record-kinds.ts'

const newRule = (name: string) => ({
  name,
  severity: 'info',
  // No agent of the run sends it: a good value would clear the alarms.
  metric: 'energy_uj_per_bit',
  raise_op: '>=',
  raise_threshold: 1,
})

/** Alarms as vmalert raises them, rules and silences. */
export class AlarmRecords {
  readonly #parties: Parties
  /** Of the alarms. Requests do not change it. */
  #rule = ''

  constructor(parties: Parties) {
    this.#parties = parties
  }

  async create(): Promise<void> {
    const rule: AlarmRule = await send(this.#parties, 'POST', 'alarm_rules', newRule('raises alarms'))
    this.#rule = rule.id
  }

  get alarms(): Kind {
    return {
      placeholders: placeholders.alarms,
      list: 'alarms?limit=1000',
      isUsable: () => true,
      create: (index) => this.#raise(onlineAgents[index] ?? ''),
    }
  }

  get rules(): Kind {
    return {
      placeholders: placeholders.rules,
      list: 'alarm_rules',
      isUsable: () => true,
      create: async (index) =>
        (await send(this.#parties, 'POST', 'alarm_rules', newRule(`rule ${index}`))).id,
      remove: deletedAt('alarm_rules', ({ id, is_builtin: isBuiltin }) => !isBuiltin && id !== this.#rule),
    }
  }

  get silences(): Kind {
    return {
      placeholders: placeholders.silences,
      list: 'silences?limit=1000',
      isUsable: () => true,
      create: async (index) => {
        const endsAt = new Date(Date.now() + 86_400_000).toISOString()
        const body = { comment: `silence ${index}`, ap_ids: ['none'], ends_at: endsAt }
        const silence: Silence = await send(this.#parties, 'POST', 'silences', body)
        return silence.id
      },
      remove: deletedAt('silences'),
    }
  }

  /** vmalert repeats alerts too: one that comes before the agent is online raises nothing. */
  async #raise(apId: string): Promise<string> {
    const { internalUrl } = this.#parties
    return until(`an alarm of ${apId}`, async () => {
      await call(internalUrl, 'POST', '/api/v2/alerts', { body: [alertOf(apId, { id: this.#rule })] })
      const path = `alarms?ap_id=${apId}&rule=${this.#rule}`
      const [alarm]: (Alarm & Stored)[] = await send(this.#parties, 'GET', path)
      return alarm?.id
    })
  }
}
