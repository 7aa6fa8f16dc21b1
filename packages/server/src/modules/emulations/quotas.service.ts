import type { Caller } from '../../access.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../engines/postgres.ts'
import { hasUserLimits, type Limits } from '../../limits.ts'
import type { QuotaStore } from './quotas.store.ts'

/** What one caller may emulate. */
export interface Quota {
  /** Standard users also share a limit. */
  isStandardUser: boolean
  maxDurationS: number
}

type LimitName =
  | 'MANC_EMULATED_AGENTS'
  | 'MANC_USER_EMULATED_AGENTS'
  | 'MANC_USERS_EMULATED_AGENTS'
  | 'MANC_EMULATED_AGENTS_TOTAL'
  | 'MANC_EMULATION_SECONDS'
  | 'MANC_USER_EMULATION_SECONDS'
  | 'MANC_EMULATIONS_PER_HOUR'
  | 'MANC_USER_EMULATIONS_PER_HOUR'

const retryAfterS = 60

/** The limits of emulations. Anyone may sign up, so a standard user may emulate little. */
export class QuotaService {
  readonly #store: QuotaStore
  readonly #limits: Limits
  readonly #config: Pick<Config, LimitName>

  constructor(deps: { store: QuotaStore; limits: Limits; config: Pick<Config, LimitName> }) {
    this.#store = deps.store
    this.#limits = deps.limits
    this.#config = deps.config
  }

  quotaOf(caller: Caller): Quota {
    const isStandardUser = hasUserLimits(caller)
    const limit = isStandardUser ? 'MANC_USER_EMULATION_SECONDS' : 'MANC_EMULATION_SECONDS'
    return { isStandardUser, maxDurationS: this.#config[limit] }
  }

  /** The interface sets no maximum, so a longer duration is not refused. */
  countLimitedDuration({ isStandardUser }: Quota): void {
    this.#limits.count(isStandardUser ? 'MANC_USER_EMULATION_SECONDS' : 'MANC_EMULATION_SECONDS')
  }

  /** Before the agents are created. Other requests of the same owner wait until the transaction ends. */
  async checkOwner(tx: Tx, owner: string, quota: Quota, agents: number): Promise<void> {
    await this.#checkRate(tx, owner, quota)
    const limit = quota.isStandardUser ? 'MANC_USER_EMULATED_AGENTS' : 'MANC_EMULATED_AGENTS'
    const own = await this.#store.agentsOf(tx, owner)
    if (own + agents > this.#config[limit])
      throw this.#limits.refusal(
        limit,
        `At most ${this.#config[limit]} emulated agents at once; ${own} of yours exist. ` +
          'Stop an emulation, or emulate fewer.',
        retryAfterS,
      )
    // Checked again below. Here it saves the work for most requests that are refused.
    await this.#checkTotals(tx, quota, agents)
  }

  /** At the end of the transaction, since other requests wait for its end. */
  async checkInstallation(tx: Tx, quota: Quota): Promise<void> {
    await this.#store.lockTotals(tx)
    await this.#checkTotals(tx, quota, 0)
  }

  sweep(): Promise<void> {
    return this.#store.deleteOldStarts()
  }

  async #checkRate(tx: Tx, owner: string, { isStandardUser }: Quota): Promise<void> {
    const limit = isStandardUser ? 'MANC_USER_EMULATIONS_PER_HOUR' : 'MANC_EMULATIONS_PER_HOUR'
    const perHour = this.#config[limit]
    const recent = await this.#store.countStart(tx, owner, perHour)
    if (recent <= perHour) return
    const waitS = Math.ceil(((recent - perHour) * 3600) / perHour)
    throw this.#limits.refusal(
      limit,
      `At most ${perHour} emulations of yours in an hour. Try again in ${waitS} s.`,
      waitS,
    )
  }

  async #checkTotals(tx: Tx, { isStandardUser }: Quota, agents: number): Promise<void> {
    const { MANC_EMULATED_AGENTS_TOTAL: maxTotal, MANC_USERS_EMULATED_AGENTS: maxOfStandardUsers } =
      this.#config
    const { total, ofStandardUsers } = await this.#store.totals(tx)
    if (total + agents > maxTotal)
      throw this.#limits.refusal(
        'MANC_EMULATED_AGENTS_TOTAL',
        `At most ${maxTotal} emulated agents in this installation. ` +
          'Emulate fewer, or try again when other emulations have ended.',
        retryAfterS,
      )
    if (isStandardUser && ofStandardUsers + agents > maxOfStandardUsers)
      throw this.#limits.refusal(
        'MANC_USERS_EMULATED_AGENTS',
        `At most ${maxOfStandardUsers} emulated agents of all standard users. ` +
          'Emulate fewer, or try again when other emulations have ended.',
        retryAfterS,
      )
  }
}
