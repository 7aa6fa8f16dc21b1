import { defineConfig } from 'vitest/config'

/** Every alert rule, fired by its fault. */
export default defineConfig({
  test: {
    include: ['packages/server/test/alerts/alerts.faults.ts'],
    testTimeout: 400_000,
    hookTimeout: 180_000,
    // The tests build on each other.
    bail: 1,
    pool: 'forks',
  },
})
