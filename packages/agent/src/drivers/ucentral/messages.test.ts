import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Budget } from './budget.ts'
import { LimitExceeded, parseMessage, statusOf } from './messages.ts'

const parse = (value: unknown, charge = (_bytes: number) => {}) =>
  parseMessage(Buffer.from(JSON.stringify(value)), charge)
const compressed = (text: string, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'state',
  params: { compress_64: deflateSync(text).toString('base64'), ...more },
})

describe('messages of access points', () => {
  it('are notifications and answers of JSON-RPC 2.0', () => {
    expect(parse({ jsonrpc: '2.0', method: 'ping', params: { serial: 'a' } })).toMatchObject({
      kind: 'notification',
      method: 'ping',
      params: { serial: 'a' },
    })
    expect(parse({ jsonrpc: '2.0', id: 7, result: { status: { error: 0 } } })).toMatchObject({
      kind: 'answer',
      id: 7,
    })
    for (const other of [null, 7, [], {}, { jsonrpc: '1.0', method: 'ping' }, { radius: 'auth', data: '' }])
      expect(parse(other)).toBeUndefined()
    expect(parseMessage(Buffer.from('{"jsonrpc"'), () => {})).toBeUndefined()
  })

  it('have compressed parameters, up to 4 MiB', () => {
    expect(parse(compressed('{"serial": "a", "state": {}}', { compress_sz: 28 }))).toMatchObject({
      params: { serial: 'a', state: {} },
    })
    expect(parse(compressed('no JSON'))).toBeUndefined()
    expect(
      parse({ jsonrpc: '2.0', method: 'state', params: { compress_64: 'bm90IHpsaWI=' } }),
    ).toBeUndefined()
    expect(() => parse(compressed('x'.repeat(4_300_000)))).toThrow(LimitExceeded)
    expect(() => parse(compressed('{}', { compress_sz: 4_300_000 }))).toThrow(LimitExceeded)
  })

  it('are charged before they are parsed, also after inflation', () => {
    const charged: number[] = []
    parse(compressed(`{"a": "${'x'.repeat(10_000)}"}`), (bytes) => charged.push(bytes))
    expect(charged).toEqual([expect.any(Number), 10_009])
    charged.length = 0
    parse(compressed('no JSON'), (bytes) => charged.push(bytes))
    expect(charged[1]).toBe(7)
    expect(() =>
      parse({}, () => {
        throw new LimitExceeded('too much')
      }),
    ).toThrow('too much')
  })

  it('have a status with the text of the access point', () => {
    expect(statusOf({ result: { status: { error: 2, text: 'no' } } })).toMatchObject({ error: 2, text: 'no' })
    expect(statusOf({ result: { status: { error: 1, txt: 'later' } } })).toMatchObject({ text: 'later' })
    expect(statusOf({ error: { code: -32_601, message: 'unknown' } })).toMatchObject({ error: -32_601 })
    expect(statusOf({ result: { serial: 'a' } })).toMatchObject({ error: 0, text: '' })
    expect(statusOf({ result: { status: { error: 1, text: 'x'.repeat(9999) } } }).text).toHaveLength(500)
  })
})

it('a budget has so much at once, and so much a second', () => {
  let nowMs = 0
  const budget = new Budget(3, 2, () => nowMs)
  expect([budget.take(2), budget.take(), budget.take()]).toEqual([true, true, false])
  nowMs = 500
  expect([budget.take(), budget.take()]).toEqual([true, false])
  nowMs = 60_000
  expect([budget.take(3), budget.take()]).toEqual([true, false])
})
