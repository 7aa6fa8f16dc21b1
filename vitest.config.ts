import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './tools/slowest-first.sequencer.ts'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts', 'examples/test/*.test.ts'],
    globalSetup: ['packages/harness/src/engines.setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // Many wait for engines: three keep two cores busy. Argon2 and timing tests share them, and would wait for any more.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    pool: 'forks',
  },
})
