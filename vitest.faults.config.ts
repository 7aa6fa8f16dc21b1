import { defineConfig } from 'vitest/config'

/** Suites that kill engines: each starts a set of its own, and they run one after the other. */
export default defineConfig({
  test: {
    include: ['packages/*/test/faults/*.faults.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    pool: 'forks',
  },
})
