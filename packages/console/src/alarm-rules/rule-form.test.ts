import { expect, it } from 'vitest'
import { bodyOf, formOf, problemsOf, withMetric } from './rule-form.ts'

it('a rule has only the members of its metric', () => {
  const form = { ...formOf(), name: ' Full ', raise_threshold: 90 }
  expect(bodyOf(form)).toMatchObject({
    name: 'Full',
    raise_op: '>=',
    raise_threshold: 90,
    clear_threshold: null,
  })
  expect(bodyOf(form)).not.toHaveProperty('expr')
  expect(bodyOf({ ...form, metric: 'presence' })).not.toHaveProperty('raise_op')
  expect(bodyOf({ ...form, metric: 'expression', expr: ' up ' })).toMatchObject({ expr: 'up' })
})

it('another metric has its own direction and threshold', () => {
  expect(withMetric(formOf(), 'signal_quality')).toMatchObject({ raise_op: '<=', raise_threshold: 0.1 })
  expect(withMetric(formOf(), 'clients')).toMatchObject({ raise_op: '>=', raise_threshold: '' })
})

it('a form that is not complete says what is missing', () => {
  expect(Object.keys(problemsOf(formOf()))).toEqual(['name', 'raise_threshold'])
  expect(problemsOf({ ...formOf(), name: 'Off', metric: 'presence' })).toEqual({})
})
