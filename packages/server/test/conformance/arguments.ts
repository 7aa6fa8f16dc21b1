import { parseArgs } from 'node:util'

export const help = `Checks a server and its /openapi.json against the interface, operation by operation.

  npm run conformance                          starts engines and a server of its own
  npm run conformance -- --url URL --username U --password P
                                               checks a server that runs already, as an administrator of it

  --expect N   fails unless at least N of the 32 operations are there and pass
  --help       shows this

What it makes on a running server it deletes again.`

export interface Arguments {
  help: boolean
  expect: number
  running?: { url: string; username: string; password: string }
}

export function readArguments(words: string[]): Arguments {
  const { values } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean', default: false },
      expect: { type: 'string', default: '0' },
      url: { type: 'string' },
      username: { type: 'string' },
      password: { type: 'string' },
    },
  })
  const expect = Number(values.expect)
  if (!Number.isInteger(expect) || expect < 0 || expect > 32) throw new Error('--expect takes 0 to 32')
  const { url, username, password } = values
  if (url === undefined && username === undefined && password === undefined) {
    return { help: values.help, expect }
  }
  if (url === undefined || username === undefined || password === undefined) {
    throw new Error('--url, --username and --password go together')
  }
  return { help: values.help, expect, running: { url: url.replace(/\/+$/, ''), username, password } }
}
