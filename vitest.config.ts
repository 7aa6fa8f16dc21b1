import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts'],
    globalSetup: ['packages/server/test/engines.setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // Argon2 and timing tests share two cores: more workers only make them wait for each other.
    maxWorkers: 2,
    pool: 'forks',
  },
})
