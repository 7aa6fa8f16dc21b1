export type { AccessPointSpec, WorldSpec } from './types.ts'
export { World } from './world.ts'
