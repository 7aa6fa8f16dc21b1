import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { codeFor } from './code.ts'
import { defaultRequest, specsOf } from './request.ts'

const specs = specsOf({
  ...defaultRequest,
  places: ["Land's End, GB", '51.5,-2.6'],
  seed: 'a "seed"',
  spreadM: 20,
})

it('hands a shell exactly the request, whatever is in its names', () => {
  const { curl } = codeFor(specs, 'http://manc.test')
  const [, ...words] = wordsOf(curl)
  expect(words.slice(0, 2)).toEqual(['-s', 'http://manc.test/api/v1/emulator/spinup'])
  expect(JSON.parse(words.at(-1) ?? '')).toEqual({ emulators: specs })
})

it('says the same in the words of the command line', () => {
  const start = ['manc', 'emulate', '--5g', '5', '--wifi', '20', '--lifi', '10']
  const where = ['--at', "Land's End, GB", '--at', '51.5,-2.6', '--devices', '12', '--duration', '1800s']
  const how = ['--scenario', 'daily', '--seed', 'a "seed"', '--spread', '20']
  expect(wordsOf(codeFor(specs, '').CLI)).toEqual([...start, ...where, ...how])
})

/** As a shell splits a line. */
function wordsOf(line: string): string[] {
  const out = execFileSync('sh', ['-c', String.raw`printf '%s\0' ` + line], { encoding: 'utf8' })
  return out.split('\0').slice(0, -1)
}
