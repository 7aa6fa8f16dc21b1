import {
  type Attachment,
  type Client,
  type ClientMeasurement,
  clientOperations as operations,
} from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../../access.ts'
import { viewOf } from '../../agent-views.ts'
import { invalid } from '../../errors.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { AgentService } from '../agents/index.ts'
import type { ClientService } from './clients.service.ts'
import type { ClientPosition, ClientRow, HistoryPosition, HistoryRow, LinkValues } from './clients.types.ts'

type Query = Static<typeof operations.listClients.query>
type Sees = (apId: string) => boolean

export function clientRoutes(
  app: FastifyInstance,
  { clients, agents }: { clients: ClientService; agents: AgentService },
): void {
  // The limit has a default in the contract, which validation applies.
  serve(app, operations.listClients, async ({ query, caller }, reply) => {
    const { limit = Number.NaN, after, sort = 'id', state = 'attached', technology } = query
    const page = await clients.page(
      {
        view: viewOf(caller, query.emulated),
        state,
        ...(query.ap_id !== undefined && { apId: query.ap_id }),
        ...(technology && { technologies: technology }),
        ...(query.place !== undefined && { place: query.place }),
        ...(query.q !== undefined && { prefix: query.q }),
      },
      { sort, after: after === undefined ? undefined : positionOf(after, sort), limit },
    )
    const last = page.at(-1)
    if (last && page.length === limit)
      linkNext(reply, operations.listClients, limit, cursorOf(last, sort), textsOf(query))
    const sees = seesOf(caller)
    return page.map((row) => ({
      ...toRecord(row, sees),
      ...(query.measurements && { measurement: toMeasurement(row, sees) }),
    }))
  })

  serve(app, operations.getClient, async ({ params: { id }, query, caller }) => {
    const { history_limit: limit = Number.NaN, before, from, to } = query
    const { client, history } = await clients.get(viewOf(caller, 'all'), id, {
      ...(from && { from }),
      ...(to && { to }),
      after: before === undefined ? undefined : historyPositionOf(before),
      limit,
    })
    const last = history.at(-1)
    const sees = seesOf(caller)
    return {
      ...toRecord(client, sees),
      measurement: toMeasurement(client, sees),
      history: history.map((row) => toAttachment(row, sees)),
      next: last && history.length === limit ? `${last.recordedAt.getTime().toString(36)}-${last.seq}` : null,
    }
  })

  serve(app, operations.listAgentClients, async ({ params, query, caller }, reply) => {
    const { apId } = await agents.get(params.ap_id)
    const { limit = Number.NaN, after } = query
    const page = await clients.page(
      { view: { ...viewOf(caller, 'all'), patterns: undefined }, state: 'attached', apId },
      { sort: 'id', after: after === undefined ? undefined : { id: after, sinceMs: 0 }, limit },
    )
    if (page.length === limit) {
      const path = operations.listAgentClients.path.replace('{ap_id}', encodeURIComponent(apId))
      linkNext(reply, { path }, limit, page.at(-1)?.id)
    }
    return page.map((row) => toRecord(row, seesOf(caller)))
  })
}

/** Which access points a caller may know of. */
function seesOf(caller: Caller): Sees {
  if (caller.kind === 'third_party_app') return (apId) => caller.sees(apId)
  return caller.kind === 'agent' ? (apId) => apId === caller.name : () => true
}

/** With `sort=since` the time in milliseconds, a dash and the id. */
const cursorOf = ({ id, since }: ClientRow, sort: 'id' | 'since') =>
  sort === 'id' ? id : `${since.getTime()}-${id}`

function positionOf(after: string, sort: 'id' | 'since'): ClientPosition {
  if (sort === 'id') return { id: after, sinceMs: 0 }
  const [, since = '', id = ''] = /^(\d{1,15})-(.+)$/.exec(after) ?? []
  if (since === '') throw wrong('after', 'after should be of a page of this list: follow the Link header')
  return { id, sinceMs: Number(since) }
}

const maxSeq = 2n ** 63n

function historyPositionOf(before: string): HistoryPosition {
  const [, recorded = '', seq = ''] = /^([\da-z]{1,8})-(\d{1,19})$/.exec(before) ?? []
  if (seq === '' || BigInt(seq) >= maxSeq)
    throw wrong('before', 'before should be the next of an earlier response')
  return { recordedMs: Number.parseInt(recorded, 36), seq }
}

const wrong = (name: string, message: string) =>
  invalid([{ loc: ['query', name], msg: `Value error, ${message}`, type: 'value_error' }])

function textsOf({ technology = [], ...query }: Query): URLSearchParams {
  const texts = new URLSearchParams(technology.map((each): [string, string] => ['technology', each]))
  for (const name of ['state', 'ap_id', 'place', 'q', 'emulated', 'sort'] as const) {
    const value = query[name]
    if (value !== undefined) texts.append(name, value)
  }
  if (query.measurements) texts.append('measurements', 'true')
  return texts
}

const linkOf = ({ signalDbm, snrDb, rateMbps }: LinkValues) => ({
  signal_dbm: signalDbm,
  snr_db: snrDb,
  rate_mbps: rateMbps,
})

const visible = (apId: string | null, sees: Sees) => (apId !== null && sees(apId) ? apId : null)

const toRecord = (client: ClientRow, sees: Sees): Client => ({
  id: client.id,
  is_attached: client.isAttached,
  ap_id: client.apId,
  technology: client.technology,
  since: client.since.toISOString(),
  from_ap_id: visible(client.fromApId, sees),
  ...linkOf(client),
  ended: client.ended,
})

/** Of a client that is attached; null if there is none. */
function toMeasurement(
  { isAttached, measuredAt, throughputMbps, heard }: ClientRow,
  sees: Sees,
): ClientMeasurement | null {
  if (!isAttached || !measuredAt) return null
  const visibleOnes = Object.entries(heard ?? {}).filter(([apId]) => sees(apId))
  return {
    at: measuredAt.toISOString(),
    throughput_mbps: throughputMbps,
    heard: Object.fromEntries(visibleOnes),
  }
}

const toAttachment = (row: HistoryRow, sees: Sees): Attachment => ({
  ap_id: row.apId,
  technology: row.technology,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  from_ap_id: visible(row.fromApId, sees),
  ended: row.ended,
  ...linkOf(row),
})
