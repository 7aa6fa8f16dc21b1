import type { Postgres, Tx } from '../../engines/postgres.ts'
import type { Limits } from '../../limits.ts'
import { clientDroppedEvent, clientMovedEvent, type EventService, type NewEvent } from '../events/index.ts'
import { Attachments, type Report } from './attachments.rules.ts'
import type { ClientEventLimit } from './client-events.rules.ts'
import type { ClientNames } from './client-names.service.ts'
import { readReport } from './client-reports.format.ts'
import type { ClientStore } from './clients.store.ts'
import type { MeasurementRates } from './measurement-rate.rules.ts'

/** A message of an agent about its clients. */
interface ClientsMessage {
  apId: string
  text: string
  /** When the broker received it. */
  receivedMs: number
}

type Countable = 'handover' | 'roamed' | 'dropped'

interface Deps {
  postgres: Postgres
  store: ClientStore
  names: ClientNames
  events: EventService
  eventLimit: ClientEventLimit
  limits: Limits
  maxClients: number
  measurementRates: MeasurementRates
  /** Counts clients and messages that were not accepted. */
  reject: (apId: string, reason: string, count: number) => void
  countMoves: (labels: { kind: Countable }, by?: number) => void
}

/** Clients in one transaction, so that its statements end within the time limit. */
const maxEntries = 4000
/** Access points without a report for this long, while others report, have stopped. */
const silentS = 90
const goneAtOnce = 50
const detachedAtOnce = 2000

/** Stores what agents report about their clients. */
export class ClientReportService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** In order. Each transaction takes as many messages as it can. */
  async handle(messages: readonly ClientsMessage[]): Promise<void> {
    const { names } = this.#deps
    const reports = this.#read(messages)
    if (reports.length === 0) return
    const kinds = await this.#deps.store.agentKinds([...new Set(reports.map(({ apId }) => apId))])
    const idOf = await names.reader()
    let batch: Report[] = []
    const namesById = new Map<string, string>()
    let entries = 0
    for (const { apId, receivedMs, isSnapshot, joined, left } of reports) {
      const kind = kinds.get(apId)
      // The agent was removed.
      if (!kind) continue
      const isEmulated = kind.emulatedBy !== null
      const withId = <T extends { name: string }>(entry: T) => {
        const id = idOf(entry.name, isEmulated)
        if (id !== undefined) namesById.set(id, entry.name)
        return id === undefined ? [] : { ...entry, id }
      }
      const report = {
        apId,
        receivedMs,
        isSnapshot,
        ...kind,
        joined: joined.flatMap(withId),
        left: left.flatMap(withId),
      }
      const size = report.joined.length + report.left.length
      if (entries > 0 && entries + size > maxEntries) {
        await this.#store(batch, namesById)
        batch = []
        entries = 0
      }
      batch.push(report)
      entries += size
    }
    await this.#store(batch, namesById)
  }

  /** Ends the attachments to access points that are gone. */
  async detachGone(): Promise<void> {
    const { postgres, store } = this.#deps
    for (const gone of await store.gone(silentS, goneAtOnce))
      for (let isLeft = true; isLeft; )
        isLeft = await postgres.transaction(async (tx) => {
          await store.lock(tx)
          const detached = await store.detachAll(tx, gone, detachedAtOnce)
          if (detached < detachedAtOnce) await store.forget(tx, gone.apId)
          return detached === detachedAtOnce
        })
  }

  #read(messages: readonly ClientsMessage[]) {
    return messages.flatMap(({ apId, text, receivedMs }) => {
      const report = readReport(text, receivedMs)
      if (!report) this.#deps.reject(apId, 'no message about clients', 1)
      else if (report.rejected > 0) this.#deps.reject(apId, 'no name of a client', report.rejected)
      return report ? [{ apId, receivedMs, ...report }] : []
    })
  }

  async #store(reports: readonly Report[], names: ReadonlyMap<string, string>): Promise<void> {
    if (reports.length === 0) return
    const { postgres, store, limits, maxClients, measurementRates, reject, countMoves } = this.#deps
    const takeRefresh = (apId: string, ageMs: number) => {
      const isTaken = measurementRates.take(apId, ageMs)
      if (!isTaken) limits.count('MANC_CLIENT_MEASUREMENTS_PER_SECOND')
      return isTaken
    }
    const seal = await this.#deps.names.sealer()
    const known = new Set<string>()
    await postgres.transaction(async (tx) => {
      await store.lock(tx)
      const clients = await store.load(tx, idsOf(reports), snapshotsOf(reports))
      for (const { id } of clients) known.add(id)
      const apIds = new Set([...reports, ...clients].map(({ apId }) => apId))
      const accessPoints = await store.accessPoints(tx, [...apIds])
      const attachments = new Attachments({ clients, accessPoints, maxClients, takeRefresh })
      for (const report of reports) attachments.apply(report)
      const changed = [...attachments.changed].map((row) => {
        const name = known.has(row.id) ? undefined : names.get(row.id)
        return { ...row, sealedName: name === undefined ? null : seal(name) }
      })
      if (changed.length > 0) await store.write(tx, changed)
      if (attachments.ended.length > 0) await store.appendHistory(tx, attachments.ended)
      await store.writeAccessPoints(tx, attachments.changedAccessPoints)
      await this.#appendEvents(tx, attachments)
      postgres.afterCommit(tx, () => {
        for (const { technology, fromTechnology } of attachments.moves)
          countMoves({ kind: technology === fromTechnology ? 'roamed' : 'handover' })
        if (attachments.dropped.length > 0) countMoves({ kind: 'dropped' }, attachments.dropped.length)
        for (const [apId, count] of attachments.rejected) {
          limits.count('MANC_AGENT_CLIENTS')
          reject(apId, 'clients beyond the limit', count)
        }
      })
    })
  }

  async #appendEvents(tx: Tx, { moves, dropped }: Attachments): Promise<void> {
    const { events, eventLimit, limits } = this.#deps
    const wanted: [client: string, apId: string, event: () => NewEvent][] = [
      ...moves.map(({ id, apId, technology, fromApId, fromTechnology }): [string, string, () => NewEvent] => [
        id,
        apId,
        () => clientMovedEvent(apId, { client: id, from: fromApId, fromTechnology, technology }),
      ]),
      ...dropped.map(({ id, apId }): [string, string, () => NewEvent] => [
        id,
        apId,
        () => clientDroppedEvent(apId, id),
      ]),
    ]
    const taken = wanted.flatMap(([client, apId, event]) => {
      const answer = eventLimit.take(client, apId)
      if (answer === 'reached') limits.count('MANC_CLIENT_EVENTS_PER_MINUTE')
      return answer === 'taken' ? [event()] : []
    })
    if (taken.length > 0) await events.append(tx, taken)
  }
}

const idsOf = (reports: readonly Report[]): string[] => [
  ...new Set(reports.flatMap(({ joined, left }) => [...joined, ...left].map(({ id }) => id))),
]

const snapshotsOf = (reports: readonly Report[]): string[] => [
  ...new Set(reports.filter(({ isSnapshot }) => isSnapshot).map(({ apId }) => apId)),
]
