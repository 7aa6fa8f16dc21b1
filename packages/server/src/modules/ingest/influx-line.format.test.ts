import { expect, it } from 'vitest'
import { fieldsOf, lineOf, minutesOf } from './influx-line.format.ts'

it('the minutes of lines are those of their samples, each once', () => {
  const fields = fieldsOf(['clients', 'a name with spaces', 'power=w'])
  const lines = [0, 59_999, 1_700_000_000_000, 1_700_000_030_000].map((tsMs) =>
    lineOf('00:1A:2b', fields, [1, -2.5, 3e-7], tsMs),
  )
  expect(minutesOf(Buffer.from(lines.join('')))).toEqual([0, 28_333_333])
  expect(minutesOf(Buffer.from(''))).toEqual([])
})
