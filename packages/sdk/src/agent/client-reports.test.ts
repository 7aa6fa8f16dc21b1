import { clientSnapshotS, maxReportedClients } from '@manc/contract/topics'
import { expect, it } from 'vitest'
import { ClientReports } from './client-reports.ts'

const nowMs = 1_700_000_000_000
const at = new Date(nowMs + 1000).toISOString()
const list = (...names: string[]) => names.map((client) => ({ client }))

it('begins with all clients, and continues with changes', () => {
  const reports = new ClientReports()
  expect(reports.next(list('a', 'b'), nowMs)).toEqual({ snapshot: true, joined: list('a', 'b') })
  expect(reports.next(list('a', 'b'), nowMs + 500)).toBeUndefined()
  expect(reports.next(list('b', 'c'), nowMs + 1000)).toEqual({
    joined: list('c'),
    left: [{ client: 'a', at }],
  })
})

it('repeats all clients within the interval, and after a failure at once', () => {
  const reports = new ClientReports()
  reports.next(list('a'), nowMs)
  expect(reports.next(list('a'), nowMs + clientSnapshotS * 500)).toBeUndefined()
  expect(reports.next(list('a'), nowMs + clientSnapshotS * 1000)).toMatchObject({ snapshot: true })
  reports.reset()
  expect(reports.next(list('a'), nowMs + clientSnapshotS * 1000 + 1)).toMatchObject({ snapshot: true })
})

it('lists no more clients than a message may have', () => {
  const names = Array.from({ length: maxReportedClients + 1 }, (_, n) => `client-${n}`)
  expect(new ClientReports().next(list(...names), nowMs)?.joined).toHaveLength(maxReportedClients)
})

it('reports a client that has left and returned meanwhile', () => {
  const reports = new ClientReports()
  const since = (seconds: number) => [
    { client: 'a', since: new Date(nowMs + seconds * 1000).toISOString() },
    { client: 'b', since: new Date(nowMs).toISOString() },
  ]
  reports.next(since(-60), nowMs)
  expect(reports.next(since(-59), nowMs + 1000)).toBeUndefined()
  expect(reports.next(since(1), nowMs + 2000)).toEqual({ joined: since(1).slice(0, 1), left: [] })
})
