import { defineConfig } from 'vitest/config'

/** Suites in a real browser. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/console/console.setup.ts'],
    testTimeout: 240_000,
    // Hooks start browsers and engines, and are not retried.
    hookTimeout: 300_000,
    expect: { poll: { timeout: 45_000 } },
    fileParallelism: false,
    pool: 'forks',
  },
})
