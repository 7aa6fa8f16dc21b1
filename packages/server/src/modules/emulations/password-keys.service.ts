import type { DataKeyUse, KeyCount } from '../../data-keys.ts'
import type { Secrets } from '../../secrets.ts'
import type { EmulationStore } from './emulations.store.ts'
import { passwordKeyIdOf } from './parts.rules.ts'

/** The passwords of a running emulation stay derived from the data key under which it was created. */
export class PasswordKeyService implements DataKeyUse {
  readonly name = 'running emulations'
  readonly #store: EmulationStore
  readonly #secrets: Secrets

  constructor(deps: { store: EmulationStore; secrets: Secrets }) {
    this.#store = deps.store
    this.#secrets = deps.secrets
  }

  async countByKey(): Promise<KeyCount[]> {
    const emulations = await this.#store.running()
    return emulations.map((each) => ({
      keyId: passwordKeyIdOf(this.#secrets, each),
      rows: 1,
      until: each.endsAt,
    }))
  }
}
