import { type EmulatorAccepted, type EmulatorSpec, exchanges, partLeaseS } from '@manc/contract'
import type { PartMessage } from '@manc/contract/emulation-parts'
import type { Logger } from 'pino'
import { type Caller, idOf } from '../../access.ts'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { invalid, Refused, tooMany } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import type { AgentService, NewAgent } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { JobService, MessageService } from '../jobs/index.ts'
import type { EmulatorStore, Offer, PartState } from './emulator.store.ts'
import { Gazetteer } from './gazetteer.ts'
import { Layout, type Placed } from './layout.ts'
import { locationOf, type Position } from './locations.ts'
import { countOf, wordOf } from './word.ts'

interface Parts {
  store: EmulatorStore
  agents: AgentService
  jobs: JobService
  messages: MessageService
  rabbitMq: RabbitMq
  secrets: Secrets
  limits: { mostRunning: number; waitS: number; removeAfterS: number }
  log: Logger
}

interface Wish {
  specs: EmulatorSpec[]
  caller: Caller
  by: Actor
  key: string | undefined
}

const kind = 'emulator_spinup' as const
const agentsAPart = 250
const removedAtOnce = 500
const mostLocations = 2000
/** A hundred years: the database's calendar has an end. */
const foreverS = 3_155_760_000

/** Networks that are emulated: their agents are made here, and run by emulators, which come in by the door of real agents. */
export class EmulatorService {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async spinUp({ specs, caller, by, key }: Wish): Promise<EmulatorAccepted> {
    const { store, agents, jobs, secrets, limits } = this.#parts
    const places = placesOf(specs)
    const total = specs.reduce((sum, spec) => sum + spec.num_access_points, 0)
    const owner = idOf(caller)
    const wish = { kind, request: { emulators: specs }, owner, key }
    let ids: string[] | undefined
    const jobNumber = await jobs.create(wish, async (tx, number) => {
      const running = await store.running(tx, owner)
      if (running + total > limits.mostRunning)
        throw tooMany(
          `At most ${limits.mostRunning} emulated agents at once; ${running} of yours are running. Wait until they end.`,
          60,
        )
      const placed = new Layout(number, specs, places).agents()
      ids = placed.map((each) => each.ap_id)
      const nonce = newSecret()
      const longestS = longestOf(specs)
      const { removeAfterS } = limits
      await store.insert(
        tx,
        {
          jobNumber: number,
          owner,
          agents: total,
          nonce,
          specs: JSON.stringify(specs),
          places: JSON.stringify(places),
          longestS,
          removeAfterS,
        },
        inParts(placed).map((some) => longestOf(specsOf(some).map((spec) => specs[spec] as EmulatorSpec))),
      )
      await agents.createEmulated(
        tx,
        number,
        placed.map((each) =>
          toAgent(each, specs, secrets.hashGenerated(this.#passwordOf(each.ap_id, nonce))),
        ),
      )
      await recordAudit(tx, by, { action: 'emulator.spin-up', target: number, detail: { agents: total } })
    })
    // Asked for once more with the same key, it is what it was.
    ids ??= new Layout(jobNumber, await store.specsOf(jobNumber), []).ids()
    return { status: 'success', job_number: jobNumber, agents: ids }
  }

  /** What emulators are told, part by part. The secrets in it are made here, and kept nowhere. */
  async messagesOf(jobNumber: string): Promise<{ id: string; content: Buffer }[]> {
    return (await this.#parts.store.offers(jobNumber)).map((offer) => this.#messageOf(offer))
  }

  /**
   * What an emulator says of its part: it keeps the lease by that. False where there is nothing new in it for the
   * caller. Refuses whoever has lost the part.
   */
  async heard(jobNumber: string, items: readonly unknown[]): Promise<boolean> {
    let isNews = false
    for (const item of items) {
      const word = wordOf(item)
      if (!word) return true
      const held = await this.#parts.store.hold(jobNumber, word, partLeaseS)
      if (!held)
        throw new Refused('conflict', 'This part is run by another emulator, or is over. Stop its agents.')
      isNews ||= held.isNews
    }
    if (isNews) await this.#parts.jobs.setRunning(jobNumber)
    return isNews
  }

  /** Offers again what an emulator has left behind, ends what nobody runs, and tells callers how it went. */
  async look(): Promise<void> {
    const { store, limits } = this.#parts
    for (const offer of await store.lapsed())
      await this.#offerAgain(offer).catch((error: unknown) =>
        // The broker is away: it has still lapsed when it is back, and the others need not wait for it.
        this.#parts.log.debug({ err: error, job: offer.jobNumber }, 'a part is offered again later'),
      )
    await store.giveUp(limits.waitS)
    for (const { jobNumber, agents } of await store.ended())
      await this.#sumUp(jobNumber, agents).catch((error: unknown) =>
        // For example because its mailbox is full; the others need not wait for its reader.
        this.#parts.log.debug({ err: error, job: jobNumber }, 'the end of an emulation is told later'),
      )
  }

  /** Published first, then noted: offered twice, it is taken once. */
  async #offerAgain(offer: Offer): Promise<void> {
    const { store, rabbitMq } = this.#parts
    const { id, content } = this.#messageOf(offer)
    await rabbitMq.publish({ exchange: exchanges.jobs, routingKey: kind, content, messageId: id })
    await store.setOffered(offer)
  }

  /** Agents of emulations that are long over. */
  async sweep(): Promise<void> {
    const { store, agents } = this.#parts
    for (const jobNumber of await store.toRemove()) {
      while ((await agents.removeEmulated(jobNumber, removedAtOnce)) === removedAtOnce);
      await store.forget(jobNumber)
    }
  }

  async #sumUp(jobNumber: string, agents: number): Promise<void> {
    const { store, messages, limits } = this.#parts
    const parts = await store.parts(jobNumber)
    const told = parts.map(({ told: text }) => JSON.parse(text ?? '{}') as Record<string, unknown>)
    const sum = (name: string) => told.reduce((all, each) => all + countOf(each[name]), 0)
    const reasons = [...new Set(parts.flatMap(({ detail }) => detail ?? []))]
    const summary = {
      state: reasons.length > 0 ? 'failed' : 'finished',
      agents,
      live: told.reduce((all, each) => all + mostLiveOf(each), 0),
      failed: sum('failed') + neverLive(parts, agents),
      samples: sum('samples') + sum('samples_before'),
      commands: sum('commands') + sum('commands_before'),
      time_to_full_s: Math.max(0, ...told.map((each) => countOf(each['time_to_full_s']))),
      parts: parts.length,
      ...(reasons.length > 0 && { reasons }),
    }
    const letter = {
      jobNumber,
      data: JSON.stringify([summary]),
      owner: undefined,
      poster: '',
      work: undefined,
    }
    await messages.post({ ...letter, final: reasons.length === 0, key: 'summary' })
    if (reasons.length > 0) await messages.end(jobNumber, 'failed', reasons.join(' '))
    await store.setTold(jobNumber, limits.removeAfterS)
  }

  #messageOf({ jobNumber, part, parts, nonce, beginsAt, ...texts }: Offer): { id: string; content: Buffer } {
    const specs = JSON.parse(texts.specs) as EmulatorSpec[]
    const layout = new Layout(jobNumber, specs, JSON.parse(texts.places) as Position[][])
    const placed = layout.agents((part - 1) * agentsAPart, part * agentsAPart)
    // Those of this part, and without the texts of which the places were made: a message has 1 MiB.
    const own = Object.fromEntries(
      specsOf(placed).map((spec) => {
        const { locations: _locations, ...rest } = specs[spec] as EmulatorSpec
        return [spec, rest]
      }),
    )
    const message: PartMessage = {
      job_number: jobNumber,
      task_type: kind,
      data: {
        part,
        parts,
        begins_at: beginsAt.toISOString(),
        specs: own,
        agents: placed.map((each) => ({ ...each, password: this.#passwordOf(each.ap_id, nonce) })),
      },
    }
    return { id: `${jobNumber}.${part}`, content: Buffer.from(JSON.stringify(message)) }
  }

  #passwordOf(apId: string, nonce: string): string {
    return this.#parts.secrets.derive(`${apId} ${nonce}`)
  }
}

/** Of every spec; throws with what is wrong at each location that is none. */
function placesOf(specs: readonly EmulatorSpec[]): Position[][] {
  const unknown: { loc: (string | number)[]; msg: string; type: string }[] = []
  // A look-up takes a tenth of a millisecond, and a body has room for many.
  const different = new Set(specs.flatMap(({ locations }) => locations))
  if (different.size > mostLocations)
    throw invalid([
      {
        loc: ['body', 'emulators'],
        msg: `Value error, at most ${mostLocations} different locations at once`,
        type: 'value_error',
      },
    ])
  const known = new Map([...different].map((text) => [text, locationOf(text, Gazetteer.open())]))
  const places = specs.map(({ locations }, spec) =>
    locations.map((text, index) => {
      const place = known.get(text)
      if (place) return place
      const loc = ['body', 'emulators', spec, 'locations', index]
      unknown.push({ loc, msg: 'Value error, neither coordinates nor a known place', type: 'value_error' })
      return { latitude: 0, longitude: 0 }
    }),
  )
  if (unknown.length > 0) throw invalid(unknown)
  // No more than are used: they are kept, and read for every part.
  return places.map((those, spec) => those.slice(0, specs[spec]?.num_access_points))
}

const longestOf = (specs: readonly EmulatorSpec[]) =>
  Math.min(foreverS, Math.max(...specs.map(({ duration }) => duration)))

const specsOf = (placed: readonly Placed[]) => [...new Set(placed.map(({ spec }) => spec))]

function inParts(placed: Placed[]): Placed[][] {
  return Array.from({ length: Math.ceil(placed.length / agentsAPart) }, (_, n) =>
    placed.slice(n * agentsAPart, (n + 1) * agentsAPart),
  )
}

const toAgent = (
  { ap_id: apId, spec, latitude, longitude }: Placed,
  specs: readonly EmulatorSpec[],
  passwordHash: string,
): NewAgent => ({
  id: newId(),
  apId,
  passwordHash,
  configuration: {
    technology: specs[spec]?.access_point_type,
    geolocation: { latitude, longitude },
    telemetry_interval_s: 1,
  },
})

/** Agents of parts that failed, of those nobody has seen: what an emulator told of its own failures is in them. */
function neverLive(parts: readonly PartState[], agents: number): number {
  return parts
    .filter(({ state }) => state === 'failed')
    .reduce((all, { part, told }) => {
      const word = JSON.parse(told ?? '{}') as Record<string, unknown>
      const own = Math.min(agentsAPart, agents - (part - 1) * agentsAPart)
      return all + Math.max(0, own - mostLiveOf(word) - countOf(word['failed']))
    }, 0)
}

/** Whoever ran the part. */
const mostLiveOf = (told: Record<string, unknown>) =>
  Math.max(countOf(told['most_live']), countOf(told['most_live_before']))
