export type { AccessPointSpec, MoveCause, WorldSpec } from './types.ts'
export { World } from './world.ts'
