import { isDeepStrictEqual } from 'node:util'
import type { RolloutPreview, RolloutSelection } from '@manc/contract'
import type { Caller } from '../../access.ts'
import { viewOf } from '../../agent-views.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import type { ConfigurationService } from '../agents/index.ts'
import type { FleetService } from '../fleet/index.ts'
import { merged, touched } from './merge-patch.rules.ts'

type Difference = RolloutPreview['differences'][number]

const maxAgents = 10_000
const maxDifferences = 500
const maxPreviewBytes = 1_048_576
/** A configuration may have 64 KiB: this many are in memory at the same time. */
const agentsPerRead = 100

/** Which agents a rollout changes, and what it changes. */
export class SelectionService {
  readonly #fleet: FleetService
  readonly #configurations: ConfigurationService

  constructor(deps: { fleet: FleetService; configurations: ConfigurationService }) {
    this.#fleet = deps.fleet
    this.#configurations = deps.configurations
  }

  /** The agents that match, by id, and how many of the named ones do not. */
  async select(body: RolloutSelection, caller: Caller): Promise<{ apIds: string[]; unknown: number }> {
    const { agents, technology, state, health, search, area, change } = body
    if (!agents && !technology && !state && !health && search === undefined && !area)
      throw valueError(['body'], 'say which agents: agents, technology, state, health, search or area')
    if (Object.keys(change).length === 0)
      throw valueError(['body', 'change'], 'name at least one member to change')
    const ids = agents && [...new Set(agents)]
    const apIds = await this.#fleet.ids(
      {
        // Agents that are named are requested.
        view: viewOf(caller, body.emulated ?? (agents ? 'all' : 'own')),
        ...(ids && { ids }),
        ...(technology && { technologies: technology }),
        ...(state && { states: state }),
        ...(health && { healths: health }),
        ...(search !== undefined && { text: search }),
        ...(area && { box: area }),
      },
      maxAgents + 1,
    )
    if (apIds.length === 0) throw notFound('Agent')
    if (apIds.length > maxAgents)
      throw new Refused('bad-request', `More than ${maxAgents} agents match. Narrow the selection.`)
    return { apIds, unknown: ids ? ids.length - apIds.length : 0 }
  }

  async preview(body: RolloutSelection, caller: Caller): Promise<RolloutPreview> {
    const { apIds, unknown } = await this.select(body, caller)
    const differences: Difference[] = []
    let [changing, bytes] = [0, 0]
    for await (const difference of this.#differences(apIds, body.change)) {
      changing++
      bytes += JSON.stringify(difference).length
      if (differences.length < maxDifferences && bytes <= maxPreviewBytes) differences.push(difference)
    }
    return { agents: apIds.length, unchanged: apIds.length - changing, unknown, differences }
  }

  /** Those of the agents that do not have these values yet. */
  async changing(apIds: readonly string[], change: RolloutSelection['change']): Promise<Set<string>> {
    const found = new Set<string>()
    for await (const { ap_id: apId } of this.#differences(apIds, change)) found.add(apId)
    return found
  }

  async *#differences(
    apIds: readonly string[],
    change: RolloutSelection['change'],
  ): AsyncGenerator<Difference> {
    for (let start = 0; start < apIds.length; start += agentsPerRead) {
      const some = apIds.slice(start, start + agentsPerRead)
      const texts = await this.#configurations.texts(some)
      for (const apId of some) {
        const text = texts.get(apId)
        const difference = text === undefined ? undefined : differenceOf(apId, text, change)
        if (difference) yield difference
      }
    }
  }
}

function differenceOf(apId: string, text: string, change: Record<string, unknown>): Difference | undefined {
  const configuration = JSON.parse(text) as Record<string, unknown>
  const before = touched(configuration, change)
  const after = touched(merged(configuration, change), change)
  return isDeepStrictEqual(before, after) ? undefined : { ap_id: apId, before, after }
}

const valueError = (loc: string[], msg: string) =>
  invalid([{ loc, msg: `Value error, ${msg}`, type: 'value_error' }])
