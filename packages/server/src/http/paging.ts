import type { Operation } from '@manc/contract'
import type { FastifyReply } from 'fastify'
import { invalid, type Refused } from '../errors.ts'

/** Sets the `Link` header to the next page: after the last key of this one, with the same filters. */
export function linkNext(
  reply: FastifyReply,
  { path }: Pick<Operation, 'path'> | { path: string },
  limit: number,
  last: string | undefined,
  filters = new URLSearchParams(),
): void {
  if (last === undefined) return
  const next = new URLSearchParams([...filters, ['limit', String(limit)], ['after', last]])
  reply.header('link', `<${path}?${next.toString()}>; rel="next"`)
}

/** `what` is what the parameter should be: the id of something. */
export const wrongAfter = (what: string): Refused =>
  invalid([
    {
      loc: ['query', 'after'],
      msg: `Value error, after should be ${what}: follow the Link header`,
      type: 'value_error',
    },
  ])
