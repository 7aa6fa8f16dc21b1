import type { Operation } from '@manc/contract'
import type { FastifyReply } from 'fastify'

/** Says where the next page begins: after the last key of this one. */
export function linkNext(
  reply: FastifyReply,
  { path }: Operation,
  limit: number,
  last: string | undefined,
): void {
  if (last === undefined) return
  const next = new URLSearchParams({ limit: String(limit), after: last })
  reply.header('link', `<${path}?${next.toString()}>; rel="next"`)
}
