import type { DataKeyUse } from '../../data-keys.ts'
import type { Platform } from '../../module.ts'
import { KeyService } from './keys.service.ts'

export function createKeysModule(
  { config }: Platform,
  { dataKeyUses }: { dataKeyUses: readonly DataKeyUse[] },
) {
  return { keys: new KeyService({ config, dataKeyUses }) }
}
