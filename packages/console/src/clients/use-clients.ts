import type { Attachment, Client, ClientsFilter, Manc } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { isLive, isOngoing, periodOf, type TimeRange } from '../range/time-range.ts'

const clientsKey = ['clients']
const refreshMs = 3000
/** Long lists are read less often. */
const readAtOnce = 500
/** Of the history of one client; the controller sends no more at once. */
export const maxAttachments = 1000
/** Pages of the history after a period that are searched for the attachment at its end. */
const maxPagesAfter = 10

/** One more than `limit` is read to know whether there are more. */
export function useClients(limit: number, query: ClientsFilter) {
  const manc = useManc()
  return useQuery({
    queryKey: [...clientsKey, 'list', limit, query],
    queryFn: ({ signal }) =>
      firstOf(manc.clients.list({ ...query, pageSize: pageSizeOf(limit), signal }), limit + 1),
    placeholderData: keepPreviousData,
    refetchInterval: intervalOf(limit),
  })
}

/** The clients that are attached to an access point. One more than `limit` is read. */
export function useClientsOf(apId: string, limit: number) {
  const manc = useManc()
  return useQuery({
    queryKey: [...clientsKey, 'of', apId, limit],
    queryFn: ({ signal }) =>
      firstOf(manc.clients.ofAgent(apId, { pageSize: pageSizeOf(limit), signal }), limit + 1),
    placeholderData: keepPreviousData,
    refetchInterval: intervalOf(limit),
  })
}

/** A client and where it is attached, without its history. */
export function useClient(id: string) {
  const manc = useManc()
  return useQuery({
    queryKey: [...clientsKey, 'one', id],
    queryFn: ({ signal }) => manc.clients.get(id, { history_limit: 1, signal }),
    refetchInterval: refreshMs,
  })
}

interface ClientHistory {
  /** Ended attachments that overlap with the range. */
  history: Attachment[]
  /** The newest ones only: there are more. */
  isCut: boolean
}

/** The history of a client in a range. It is read again as soon as the client has moved. */
export function useClientHistory({ id, ap_id: apId, since }: Client, range: TimeRange) {
  const manc = useManc()
  return useQuery({
    queryKey: [...clientsKey, 'history', id, range, apId, since],
    queryFn: ({ signal }) => readHistory(manc, id, range, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isOngoing(range, Date.now()) && 15_000,
  })
}

async function readHistory(
  manc: Manc,
  id: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<ClientHistory> {
  const { fromMs, toMs } = periodOf(range, Date.now())
  const { history, next } = await manc.clients.get(id, {
    from: new Date(fromMs),
    ...(!isLive(range) && { to: new Date(toMs) }),
    history_limit: maxAttachments,
    signal,
  })
  const last = isLive(range) ? undefined : await attachmentAt(manc, id, toMs, signal)
  return { history: last ? [last, ...history] : history, isCut: next !== null }
}

/** The attachment that began before a time and ended after it. The controller finds attachments by their end. */
async function attachmentAt(
  manc: Manc,
  id: string,
  ms: number,
  signal: AbortSignal,
): Promise<Attachment | undefined> {
  let before: string | undefined
  for (let page = 0; page < maxPagesAfter; page++) {
    const { history, next } = await manc.clients.get(id, {
      from: new Date(ms + 1),
      history_limit: maxAttachments,
      ...(before && { before }),
      signal,
    })
    const found = history.find(({ since }) => Date.parse(since) <= ms)
    if (found || next === null) return found
    before = next
  }
  return undefined
}

const pageSizeOf = (limit: number): number => Math.min(limit + 1, 1000)

const intervalOf = (limit: number): number => refreshMs * Math.ceil(limit / readAtOnce)

async function firstOf<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const first: Item[] = []
  for await (const item of items) if (first.push(item) >= count) break
  return first
}
