import { type Operation, type OperationId, operations } from '@manc/contract'
import {
  admin,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
  tokenOf,
} from '@manc/harness'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
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

/** A server of its own, and every refusal that it has sent. */
export class Wire {
  #environment: TestEnvironment | undefined
  #server: Replica | undefined
  #adminToken = ''
  readonly refusals: string[] = []

  async open(): Promise<void> {
    this.#environment = await createEnvironment(inject('engines'))
    this.#server = await startReplica(this.#environment.variables)
    this.#adminToken = await tokenOf(this.url, 'user', admin.username, admin.password)
  }

  async close(): Promise<void> {
    await this.#server?.stop()
    await this.#environment?.drop()
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  get adminToken(): string {
    return this.#adminToken
  }

  logged(): string {
    return this.#server?.logged() ?? ''
  }

  async send({ method, path, token, body, contentType }: Sent): Promise<Reply> {
    const headers: Record<string, string> = {}
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (contentType !== undefined) headers['content-type'] = contentType
    const answer = await fetch(this.url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    if (answer.status >= 400)
      this.refusals.push(JSON.stringify([answer.status, [...answer.headers], isJson, text]))
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }

  asAdmin(method: string, path: string, json?: unknown): Promise<Reply> {
    return this.send({
      method,
      path,
      token: this.#adminToken,
      ...(json !== undefined && { body: JSON.stringify(json), contentType: 'application/json' }),
    })
  }
}

export function useWire(): Wire {
  const wire = new Wire()
  beforeAll(() => wire.open())
  afterAll(() => wire.close())
  return wire
}

export function pathOf(id: OperationId, names: Record<string, string> = {}): string {
  const { path }: Operation = operations[id]
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
}

/** For the end of a suite: looks back at all that was sent and logged in it. */
export function tellsNothing(wire: Wire): void {
  describe('whatever was refused', () => {
    it('was answered without the secrets that were sent', () => {
      const told = wire.refusals.filter((reply) => secretMarks.some((mark) => reply.includes(mark)))
      expect(told).toEqual([])
    })

    it('left none of them in the log, nor a token', () => {
      const lines = wire.logged().split('\n')
      const secrets = [...secretMarks, wire.adminToken, admin.password]
      expect(lines.filter((line) => secrets.some((mark) => line.includes(mark)))).toEqual([])
      expect(lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(10)
    })

    it('was answered in JSON, without a stack trace', () => {
      for (const reply of wire.refusals) {
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
