import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { codeFor } from './code.ts'
import { defaultRequest, specsOf } from './request.ts'

const specs = specsOf({
  ...defaultRequest,
  locations: ["Land's End, GB", '51.5,-2.6'],
  seed: 'a "seed"',
  spreadM: 20,
})

it('the curl code passes exactly the request, also with quotes in it', () => {
  const { curl } = codeFor(specs, 'http://manc.test')
  const [, ...args] = argumentsOf(curl)
  expect(args.slice(0, 2)).toEqual(['-s', 'http://manc.test/api/v1/emulator/spinup'])
  expect(JSON.parse(args.at(-1) ?? '')).toEqual({ emulators: specs })
})

it('the CLI code has the same options', () => {
  const start = ['manc', 'emulate', '--5g', '5', '--wifi', '20', '--lifi', '10']
  const where = ['--at', "Land's End, GB", '--at', '51.5,-2.6', '--devices', '12', '--duration', '1800s']
  const how = ['--scenario', 'daily', '--seed', 'a "seed"', '--spread', '20']
  expect(argumentsOf(codeFor(specs, '').CLI)).toEqual([...start, ...where, ...how])
})

/** Splits a line as a shell does. */
function argumentsOf(line: string): string[] {
  const out = execFileSync('sh', ['-c', String.raw`printf '%s\0' ` + line], { encoding: 'utf8' })
  return out.split('\0').slice(0, -1)
}
