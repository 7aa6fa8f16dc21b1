import { defineConfig } from 'vitest/config'

/** Checks of deploy/kubernetes. They need programs that `npm run kubernetes -- install` downloads, and no engines. */
export default defineConfig({
  test: { include: ['tools/kubernetes/*.suite.ts'], testTimeout: 60_000 },
})
