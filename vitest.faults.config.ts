import { defineConfig } from 'vitest/config'

/** At full size a suite needs both cores. In quick form most of the time is spent waiting. */
const isQuick = process.env['MANC_QUICK'] === '1'

/** Suites that kill engines: each starts a set of its own. */
export default defineConfig({
  test: {
    include: ['packages/*/test/faults/*.faults.ts'],
    testTimeout: 120_000,
    // Two suites may start their engines at the same time.
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: isQuick ? 2 : 1,
    pool: 'forks',
  },
})
