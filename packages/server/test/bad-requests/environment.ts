import { type Operation, type OperationId, operations } from '@manc/contract'
import { admin, createEnvironment, TestEnvironment } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { describe, expect, inject } from 'vitest'
import { secretMarks } from './shape.ts'

export interface Sent {
  method: string
  /** With its query. */
  path: string
  token?: string
  body?: string | URLSearchParams | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  contentType?: string
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** The body as JSON. */
  json: unknown
}

/** A server, and every error response that it has sent. */
export class RecordingEnvironment extends TestEnvironment {
  readonly refusals: string[] = []

  static async open(): Promise<RecordingEnvironment> {
    // Hundreds of requests are refused here, all from one address.
    const base = await createEnvironment(inject('engines'), {
      MANC_SIGNUPS_PER_MINUTE: '100000',
      MANC_RECOVERIES_PER_MINUTE: '100000',
      MANC_REFUSED_BODY_BYTES_PER_MINUTE: '1000000000',
    })
    return new RecordingEnvironment(base.engines, base.variables, () => base.drop()).serve()
  }

  async send({ method, path, token, body, contentType }: Sent): Promise<Reply> {
    const headers: Record<string, string> = {}
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (contentType !== undefined) headers['content-type'] = contentType
    const response = await fetch(this.url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (response.status >= 400)
      this.refusals.push(JSON.stringify([response.status, [...response.headers], isJson, text]))
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }

  asAdmin(method: string, path: string, json?: unknown): Promise<Reply> {
    return this.send({
      method,
      path,
      token: this.adminToken,
      ...(json !== undefined && { body: JSON.stringify(json), contentType: 'application/json' }),
    })
  }
}

export const test = environmentTest(() => RecordingEnvironment.open())

export function pathOf(id: OperationId, names: Record<string, string> = {}): string {
  const { path }: Operation = operations[id]
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
}

/** To be called at the end of a suite: checks all error responses and the log of that suite. */
export function expectNoSecrets(): void {
  describe('all error responses of this suite', () => {
    test('contain no secret of their request', ({ environment }) => {
      const leaks = environment.refusals.filter((reply) => secretMarks.some((mark) => reply.includes(mark)))
      expect(leaks).toEqual([])
    })

    test('have left no secret and no token in the log', ({ environment }) => {
      const lines = environment.server.logged().split('\n')
      const secrets = [...secretMarks, environment.adminToken, admin.password]
      expect(lines.filter((line) => secrets.some((mark) => line.includes(mark)))).toEqual([])
      expect(lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(10)
    })

    test('are JSON without a stack trace', ({ environment }) => {
      for (const reply of environment.refusals) {
        expect(JSON.parse(reply)).toEqual([
          expect.any(Number),
          expect.any(Array),
          true,
          expect.stringContaining('"detail"'),
        ])
        expect(reply).not.toMatch(/\bat \S+ \(|\bat file:|node_modules|\.[jt]s:\d+|"stack"/)
      }
    })
  })
}
