import Type from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type RequestSchemas, requestValidator, type ValidationItem } from './index.ts'

const DateTime = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))
const Nullable = Type.Union([Type.String(), Type.Null()])
const Dictionary = Type.Record(Type.String(), Type.Unknown())
const PasswordReset = Type.Object({ token: Type.String(), new_password: Type.String({ minLength: 8 }) })
const ThirdPartyAppCreate = Type.Object({
  app_name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$' }),
  api_key: Type.String({ minLength: 1 }),
  permissions: Dictionary,
})
const LoginForm = Type.Object({
  grant_type: Type.Optional(Type.Union([Type.String({ pattern: '^password$' }), Type.Null()])),
  username: Type.String(),
  password: Type.String(),
  scope: Type.String({ default: '' }),
  client_id: Type.Optional(Nullable),
  client_secret: Type.Optional(Nullable),
})
const LoginQuery = Type.Object({
  login_type: Type.Enum(['user', 'agent', 'third_party_app'], { errorType: 'enum' }),
})

function missing(...loc: (string | number)[]): ValidationItem {
  return { loc, msg: 'Field required', type: 'missing' }
}

function wholeBody(type: string, msg: string) {
  return { valid: false, detail: [{ loc: ['body'], msg, type }] }
}

/** As Fastify's parser makes it: an object with a custom prototype. */
function query(members: Record<string, string | string[]>): object {
  return Object.assign(Object.create(Object.create(null)), members)
}

describe('a request with a JSON body', () => {
  const model = requestValidator({ body: PasswordReset })
  const app = requestValidator({ body: ThirdPartyAppCreate })
  const list = requestValidator({ body: Type.Array(Dictionary) })
  const free = requestValidator({ body: Dictionary })

  it('gives the body that was read', () => {
    const body = { token: 't', new_password: 'password' }
    expect(model({ body })).toMatchObject({ valid: true, value: { body } })
    const application = { app_name: 'Lab 1', api_key: 'k', permissions: { scopes: [] } }
    expect(app({ body: application })).toMatchObject({ valid: true, value: { body: application } })
  })

  it.each([
    ['no body', undefined],
    ['null', null],
    ['an empty body of another type', Buffer.alloc(0)],
    ['an empty form', new URLSearchParams('')],
  ])('with %s lacks the whole body', (_name, body) => {
    for (const validate of [model, list, free]) {
      expect(validate({ body })).toEqual({ valid: false, detail: [missing('body')] })
    }
  })

  it.each([
    ['text of another content type', Buffer.from('token=t')],
    ['a form', new URLSearchParams('token=t&new_password=password')],
    ['a string', 'text'],
    ['an empty string', ''],
    ['a number', 5],
  ])('with %s is refused with the expected type', (_name, body) => {
    const notAnObject = 'Input should be a valid dictionary or object to extract fields from'
    expect(model({ body })).toEqual(wholeBody('model_attributes_type', notAnObject))
    expect(list({ body })).toEqual(wholeBody('list_type', 'Input should be a valid list'))
    expect(free({ body })).toEqual(wholeBody('dict_type', 'Input should be a valid dictionary'))
  })

  it('never shows the input in an error', () => {
    const sent = 'hunter2'
    const answer = app({ body: { app_name: `/${sent}`, api_key: [sent], permissions: sent } })
    expect(answer).toMatchObject({ valid: false, detail: [{}, {}, {}] })
    expect(JSON.stringify(answer)).not.toContain(sent)
  })
})

describe('a request with several parts', () => {
  const validate = requestValidator({
    path: Type.Object({ id: Type.Integer() }),
    query: Type.Object({ job_number: Type.String({ minLength: 1, maxLength: 128 }) }),
    body: Type.Array(Dictionary),
  })

  it('gives each part, with its static type', () => {
    const answer = validate({ params: { id: '7' }, query: query({ job_number: 'j' }), body: [{}] })
    expect(answer).toEqual({
      valid: true,
      value: { path: { id: 7 }, query: { job_number: 'j' }, body: [{}], form: undefined },
    })
    expectTypeOf(validate).returns.extract<{ valid: true }>().toEqualTypeOf<{
      valid: true
      value: {
        path: { id: number }
        query: { job_number: string }
        body: Record<string, unknown>[]
        form: undefined
      }
    }>()
  })

  it('reports the path first, then the query, then the body', () => {
    const answer = validate({ params: { id: 'x' }, query: query({ job_number: '' }), body: [{}, 5] })
    expect(answer).toEqual({
      valid: false,
      detail: [
        {
          loc: ['path', 'id'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          type: 'int_parsing',
        },
        {
          loc: ['query', 'job_number'],
          msg: 'String should have at least 1 character',
          type: 'string_too_short',
        },
        { loc: ['body', 1], msg: 'Input should be a valid dictionary', type: 'dict_type' },
      ],
    })
  })

  it('cannot have a JSON body and a form', () => {
    const schemas: RequestSchemas = { body: Dictionary, form: LoginForm }
    expect(() => requestValidator(schemas)).toThrow('either')
  })
})

describe('a query', () => {
  const range = requestValidator({
    query: Type.Object({ agent_id: Type.String(), start_time: DateTime, end_time: DateTime }),
  })
  const metrics = requestValidator({
    query: Type.Object({
      agent: Type.String(),
      metrics: Type.Array(Type.String()),
      limit: Type.Integer({ exclusiveMinimum: 0, default: 100 }),
    }),
  })

  it('coerces its strings to the types of the schema', () => {
    const answer = range({
      query: query({ agent_id: '5', start_time: '2024-01-01', end_time: '1704103200' }),
    })
    expect(answer).toMatchObject({
      value: {
        query: {
          agent_id: '5',
          start_time: new Date('2024-01-01T00:00:00Z'),
          end_time: new Date('2024-01-01T10:00:00Z'),
        },
      },
    })
  })

  it('reports every parameter that is missing or unreadable', () => {
    expect(range({ query: query({ start_time: 'now', end_time: '2024-13-01' }) })).toEqual({
      valid: false,
      detail: [
        missing('query', 'agent_id'),
        {
          loc: ['query', 'start_time'],
          msg: 'Input should be a valid datetime or date, input is too short',
          type: 'datetime_from_date_parsing',
        },
        {
          loc: ['query', 'end_time'],
          msg: 'Input should be a valid datetime or date, month value is outside expected range of 1-12',
          type: 'datetime_from_date_parsing',
        },
      ],
    })
  })

  it('takes the last of a repeated parameter', () => {
    const answer = metrics({ query: query({ agent: ['a', 'b'], metrics: 'cpu', limit: ['x', '7'] }) })
    expect(answer).toMatchObject({ value: { query: { agent: 'b', metrics: ['cpu'], limit: 7 } } })
  })

  it('takes all of a repeated list parameter', () => {
    const answer = metrics({ query: query({ agent: 'a', metrics: ['cpu', 'rx,tx'] }) })
    expect(answer).toMatchObject({ value: { query: { metrics: ['cpu', 'rx,tx'], limit: 100 } } })
  })

  it('keeps an empty text as a text, but not as a number', () => {
    expect(metrics({ query: query({ agent: '', metrics: '', limit: '' }) })).toEqual({
      valid: false,
      detail: [
        {
          loc: ['query', 'limit'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          type: 'int_parsing',
        },
      ],
    })
  })

  it('that is absent lacks what is required', () => {
    expect(metrics({})).toEqual({
      valid: false,
      detail: [missing('query', 'agent'), missing('query', 'metrics')],
    })
  })
})

describe('a login', () => {
  const login = requestValidator({ form: LoginForm, query: LoginQuery })
  const asUser = query({ login_type: 'user' })

  it('reads its form, with defaults for what is empty', () => {
    const body = new URLSearchParams('grant_type=&username=a%40b.com&password=p+w&scope=&extra=1')
    expect(login({ query: asUser, body })).toMatchObject({
      valid: true,
      value: { form: { username: 'a@b.com', password: 'p w', scope: '' }, query: { login_type: 'user' } },
    })
  })

  it('takes the last of a repeated field', () => {
    const body = new URLSearchParams('username=a&username=b&password=x&password=')
    expect(login({ query: asUser, body })).toEqual({ valid: false, detail: [missing('body', 'password')] })
  })

  it('reports the form before the query, all at once', () => {
    const body = new URLSearchParams('grant_type=code&username=')
    expect(login({ query: query({ login_type: 'robot' }), body })).toEqual({
      valid: false,
      detail: [
        {
          loc: ['body', 'grant_type'],
          msg: "String should match pattern '^password$'",
          type: 'string_pattern_mismatch',
        },
        missing('body', 'username'),
        missing('body', 'password'),
        {
          loc: ['query', 'login_type'],
          msg: "Input should be 'user', 'agent' or 'third_party_app'",
          type: 'enum',
        },
      ],
    })
  })

  it.each([
    ['no body', undefined],
    ['a JSON body', { username: 'a', password: 'b' }],
    ['a body of another type', Buffer.from('username=a&password=b')],
  ])('with %s lacks its fields', (_name, body) => {
    expect(login({ query: asUser, body })).toEqual({
      valid: false,
      detail: [missing('body', 'username'), missing('body', 'password')],
    })
  })
})
