import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { Limits } from './limits.ts'
import { Metrics } from './metrics.ts'
import { countedLimits, limits } from './settings.ts'

/** Calls that count, without `count(*)` of SQL and counts of owners. Some get the name from a variable, so only the file that has both is known. */
const counting = /\b(?:count|refusal)\((?!\*|owner\b)|\bsetting: '/

it('every setting in manc_limit_reached_total is counted somewhere', () => {
  const sources = globSync('**/*.ts', { cwd: import.meta.dirname })
    .filter((file) => !file.startsWith('settings') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .filter((text) => counting.test(text))
  const isCounted = (name: string) => sources.some((text) => text.includes(`'${name}'`))
  expect(countedLimits.filter((name) => !isCounted(name))).toEqual([])
  expect(Object.keys(limits).filter((name) => !countedLimits.includes(name) && isCounted(name))).toEqual([])
})

it('limits that delete the oldest instead of refusing are not in manc_limit_reached_total', async () => {
  const metrics = new Metrics(pino({ level: 'silent' }))
  const counted = new Limits(metrics)
  counted.count('MANC_ROLLOUTS')
  const text = await metrics.text()
  expect(text).toContain('manc_limit_reached_total{limit="MANC_ROLLOUTS"} 1')
  expect(text).not.toContain('MANC_ROLLOUTS_KEPT')
})
