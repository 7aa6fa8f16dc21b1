import type { Actor } from '../../actor.ts'
import { type Config, dataKeysOf, type Keys, longestTokenS, tokenKeysOf } from '../../config.ts'
import type { DataKeyUse, KeyCount } from '../../data-keys.ts'
import { Refused } from '../../errors.ts'
import { keyIdOf } from '../../secrets.ts'
import type { KeyIds, KeyStatus } from './key-status.format.ts'

/** What depends on which key, and re-encryption with the current data key. */
export class KeyService {
  readonly #config: Config
  readonly #dataKeyUses: readonly DataKeyUse[]

  constructor(deps: { config: Config; dataKeyUses: readonly DataKeyUse[] }) {
    this.#config = deps.config
    this.#dataKeyUses = deps.dataKeyUses
  }

  /** Ids only, for the log: replicas with different keys can be found there. */
  acceptedIds(): { tokenKeys: string[]; dataKeys: string[] } {
    return {
      tokenKeys: listed(idsOf(tokenKeysOf(this.#config))),
      dataKeys: listed(idsOf(dataKeysOf(this.#config))),
    }
  }

  async status(): Promise<KeyStatus> {
    return {
      tokenKeys: idsOf(tokenKeysOf(this.#config)),
      dataKeys: idsOf(dataKeysOf(this.#config)),
      longestTokenS: longestTokenS(this.#config),
      resetTokenS: this.#config.MANC_RESET_TOKEN_SECONDS,
      uses: await Promise.all(
        this.#dataKeyUses.map(async (use) => ({
          name: use.name,
          isReencryptable: use.reencrypt !== undefined,
          counts: added(await use.countByKey()),
        })),
      ),
    }
  }

  /** Returns the number of re-encrypted rows. Rows under the next key must not be changed back to the current one. */
  async reencrypt(by: Actor, onProgress: (name: string, rows: number) => void): Promise<number> {
    if (this.#config.MANC_DATA_KEY_NEXT !== undefined)
      throw new Refused(
        'conflict',
        'Data is re-encrypted with MANC_DATA_KEY. Make MANC_DATA_KEY_NEXT the MANC_DATA_KEY of every process first.',
      )
    let total = 0
    for (const use of this.#dataKeyUses) {
      let rows = 0
      for await (const batch of use.reencrypt?.(by) ?? []) {
        rows += batch
        onProgress(use.name, rows)
      }
      total += rows
    }
    return total
  }
}

const idsOf = ({ current, next, previous }: Keys): KeyIds => ({
  current: keyIdOf(current),
  next: next === undefined ? undefined : keyIdOf(next),
  previous: previous === undefined ? undefined : keyIdOf(previous),
})

const listed = ({ current, next, previous }: KeyIds): string[] =>
  [current, next, previous].filter((id) => id !== undefined)

/** One count for each key. */
function added(counts: readonly KeyCount[]): KeyCount[] {
  const byKey = new Map<string | undefined, KeyCount>()
  for (const { keyId, rows, until } of counts) {
    const known = byKey.get(keyId)
    byKey.set(keyId, {
      keyId,
      rows: rows + (known?.rows ?? 0),
      until: [until, known?.until].filter((each) => each !== undefined).toSorted((a, b) => +b - +a)[0],
    })
  }
  return [...byKey.values()]
}
