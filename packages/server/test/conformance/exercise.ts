import type { ConformanceEnvironment } from './environment.ts'
import type { Prepared } from './request.ts'

/** Makes a request that must succeed, and first whatever it needs. Never the same resource twice. */
export type Prepare = (environment: ConformanceEnvironment) => Promise<Prepared> | Prepared

export interface Exercise {
  valid: Prepare
  /** Further requests that must succeed, by what is special about them. */
  variants?: Record<string, Prepare>
}
