import { expect, it } from 'vitest'
import { bodyOf, formOf, problemsOf } from './route-form.ts'

it('a route has escalation and quiet hours only if they are switched on', () => {
  const form = { ...formOf(), name: ' On call ', receiver: 'r' }
  expect(bodyOf(form)).toMatchObject({ name: 'On call', escalate_to: null, quiet_hours: null })
  expect(bodyOf({ ...form, hasEscalation: true, escalateTo: 'x', hasQuietHours: true })).toMatchObject({
    escalate_after_s: 1800,
    escalate_to: 'x',
    quiet_hours: { from: '22:00', to: '06:00', except: ['critical'] },
  })
})

it('a form that is not complete says what is missing', () => {
  expect(Object.keys(problemsOf(formOf()))).toEqual(['name', 'receiver'])
  const form = { ...formOf(), name: 'x', receiver: 'r', hasQuietHours: true, quietTo: '6' }
  expect(Object.keys(problemsOf({ ...form, hasEscalation: true }))).toEqual(['escalateTo', 'quietTo'])
})
