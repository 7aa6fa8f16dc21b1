export { isReencrypted, statusText } from './key-status.format.ts'
export { createKeysModule } from './keys.module.ts'
