import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './tools/slowest-first.sequencer.ts'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts', 'examples/test/*.test.ts'],
    globalSetup: ['packages/harness/src/engines.setup.ts'],
    testTimeout: 120_000,
    // Hooks start engines, and are not retried.
    hookTimeout: 300_000,
    // The default of 1 s is shorter than the pauses of a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Many wait for engines: three keep two cores busy. Argon2 and timing tests share them, and would wait for any more.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    pool: 'forks',
  },
})
