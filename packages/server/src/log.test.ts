import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function lines(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const chunks: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  write(createLog('trace', sink))
  return chunks.join('').split('\n').slice(0, -1)
}

describe('a line of the log', () => {
  it('is one JSON object with a time in UTC, whatever the logged text contains', () => {
    const text = 'a\r\n{"level":60,"msg":"forged"}\u2028\u0000\u001b[31m'
    const written = lines((log) => {
      log.info({ caller: text, err: new Error(text) }, text)
      log.warn(text)
    })
    expect(written).toHaveLength(2)
    for (const line of written) {
      expect(JSON.parse(line)).toMatchObject({
        msg: text,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      })
      // A terminal must not interpret the line.
      expect(line).not.toMatch(/\p{Cc}/u)
    }
  })

  it('has no value of a field that is named like a secret, up to two levels deep', () => {
    const secrets = {
      password: 'hidden-1',
      current_password: 'hidden-2',
      api_key: 'hidden-3',
      token: 'hidden-4',
    }
    const [line] = lines((log) =>
      log.info({ ...secrets, body: secrets, request: { headers: { authorization: 'hidden-5' } } }),
    )
    expect(line).not.toMatch(/hidden-/)
    expect(line?.match(/\[hidden\]/g)).toHaveLength(9)
  })

  it('has no field of an error but its type, message, stack and code', () => {
    const error = Object.assign(new Error('refused'), {
      code: 'E1',
      connection: { url: 'postgres://manc:hidden@db' },
    })
    const [line] = lines((log) => log.error({ err: error }, 'failed'))
    expect(line).not.toContain('hidden')
    expect(Object.keys(JSON.parse(line ?? '').err)).toEqual(['type', 'message', 'stack', 'code'])
  })
})
