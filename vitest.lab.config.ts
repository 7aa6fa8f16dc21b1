import { defineConfig } from 'vitest/config'

/** Suites against real devices that run in a virtual machine (docs/lab.md). */
export default defineConfig({
  test: {
    include: ['packages/agent/test/lab/*.lab.ts'],
    testTimeout: 300_000,
    // The image of the guest is made once, from packages that are downloaded.
    hookTimeout: 900_000,
    pool: 'forks',
  },
})
