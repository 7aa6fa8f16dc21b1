import type { Prepared } from './request.ts'
import type { World } from './world.ts'

/** Makes a request that must succeed, and first whatever it needs. Never the same resource twice. */
export type Prepare = (world: World) => Promise<Prepared> | Prepared

export interface Exercise {
  valid: Prepare
  /** Further requests that must succeed, by what is special about them. */
  variants?: Record<string, Prepare>
}
