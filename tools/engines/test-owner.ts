import { startSet } from './index.ts'

// A process for the tests to kill: it owns a set and waits. With a folder given, its data is to be kept.
const dir = process.argv[2]
const set = await startSet({ log: console.log, ...(dir ? { dir, owned: true } : { ephemeral: true }) })
console.log(JSON.stringify({ dir: set.dir, postgres: set.urls.postgres }))
setInterval(() => {}, 1_000)
