/** `npm run bench -- NAME`: ours and the bare engine in one run; the last line is one JSON object with a `ratio`. */
import { agentsRead } from './agents-read.ts'
import type { Bench } from './bench.ts'
import { login } from './login.ts'

const benches: Record<string, { about: string; run: Bench }> = {
  'agents-read': {
    about: 'reading one of 100,000 agents with a bearer token, against bare Fastify + pg',
    run: agentsRead,
  },
  login: { about: '50 logins/s beside 500 reads/s, against the same reads alone', run: login },
}

const [name = '', ...words] = process.argv.slice(2)
const bench = benches[name]
if (!bench) {
  const list = Object.entries(benches).map(([each, { about }]) => `  ${each.padEnd(16)}${about}`)
  console.log(
    `npm run bench -- NAME [--quick]\n\n${list.join('\n')}\n\n--quick: fewer and shorter rounds, for CI.`,
  )
  process.exit(name === '' || name === '--help' ? 0 : 2)
}
const figures = await bench.run({ quick: words.includes('--quick'), say: (line) => console.log(line) })
console.log(JSON.stringify({ bench: name, ...figures }))
