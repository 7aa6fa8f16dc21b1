import type { TestProject } from 'vitest/node'
import { type EngineUrls, startSet } from '../../../tools/engines/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engines: EngineUrls
  }
}

/** One set of real engines for the whole run; test files are apart inside it (own database, own virtual host). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const set = await startSet({ name: 'test', ephemeral: true, withoutSync: true })
  project.provide('engines', set.urls)
  return () => set.down()
}
