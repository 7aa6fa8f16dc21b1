import { Invalid } from '@manc/sdk'
import { expect, it } from 'vitest'
import { fieldErrorsOf } from './field-errors.ts'

const refusal = (...items: { loc: (string | number)[]; msg: string; type: string }[]) =>
  new Invalid({ status: 422, detail: 'x', retryAfterS: undefined, items })
const fields = { name: 'name', ids: 'ids', 'hours.from': 'from' } as const

it('errors of the controller belong to their fields', () => {
  const type = 'value_error'
  expect(
    fieldErrorsOf(
      refusal(
        { loc: ['body', 'name'], msg: 'Value error, it is wrong', type },
        { loc: ['body', 'ids', 3], msg: 'too long', type },
        { loc: ['body', 'hours', 'from'], msg: 'no time', type },
      ),
      fields,
    ),
  ).toEqual({ name: 'It is wrong', ids: 'Too long', from: 'No time' })
})

it('an error without a field, or without a list of errors, belongs to the form', () => {
  expect(fieldErrorsOf(refusal({ loc: ['body'], msg: 'no', type: 'value_error' }), fields)).toBeUndefined()
  expect(fieldErrorsOf(new Error('offline'), fields)).toBeUndefined()
})
