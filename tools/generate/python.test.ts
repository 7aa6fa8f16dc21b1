import { describe, expect, it } from 'vitest'
import { pythonFiles, syncOf, typeOf } from './python.ts'

describe('types of Python', () => {
  it.each([
    [{ type: 'string' }, 'str'],
    [{ type: 'string', format: 'date-time' }, 'datetime'],
    [{ type: 'string', enum: ['a', 'b'] }, 'Literal["a", "b"]'],
    [{ type: 'array', items: { type: 'integer' } }, 'Sequence[int]'],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'string' }] }, 'int | str'],
    [{ $ref: '#/components/schemas/Agent' }, 'models.Agent'],
    [{}, 'Any'],
  ])('of %j', (schema, type) => {
    expect(typeOf(schema)).toBe(type)
  })
})

it('the client for threads is the client for asyncio without asyncio', () => {
  const text = [
    'from manc._async.transport import AsyncTransport',
    'class AsyncFleet(AsyncResource):',
    '    async def __aenter__(self) -> AsyncManc:',
    '        async with self.lock:',
    '            return [each async for each in await self.read()]',
  ]
  expect(syncOf(text.join('\n')).split('\n').slice(1)).toEqual([
    'from manc._sync.transport import Transport',
    'class Fleet(Resource):',
    '    def __enter__(self) -> Manc:',
    '        with self.lock:',
    '            return [each for each in self.read()]',
  ])
})

it('a method has path parameters, required ones, the body, then filters by keyword', () => {
  const methods = pythonFiles()['clients/python/src/manc/_async/methods.py'] ?? ''
  expect(methods).toContain(
    'async def update(self, ap_id: str, body: models.AgentUpdate | JsonObject) -> models.Agent:',
  )
  expect(methods).toContain(
    'def of_agent(self, ap_id: str, *, page_size: int = 1000) -> Stream[models.Client]:',
  )
  // A word of the language.
  expect(methods).toMatch(/from_: datetime \| None = None, to: datetime \| None = None, page_size/)
  expect(methods).toContain('"from": from_')
  const threads = pythonFiles()['clients/python/src/manc/_sync/methods.py'] ?? ''
  expect(threads).not.toMatch(/\b(async def|await) /)
})
