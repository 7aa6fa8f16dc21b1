import type { NetworkClient } from '@manc/contract/experiment-messages'
import type { MeasuredClient } from '../clients/index.ts'

/** What is known of the access point of a client. */
interface Cell {
  /** Its place in the list of access points. */
  index: number
  technology: string
  /** All of its capacity is used, so that clients get less than they ask for. */
  isFull: boolean
}

interface Demand {
  mbps: number | null
  /** It may ask for more than it gets. */
  isLimited: boolean
}

/** As in the model: applications adapt to a poor link, of which they take at most a tenth. A bit less is nearly that. */
const maxLinkShare = 0.095
/** With fewer examples of what clients ask for, those of other technologies count as well. */
const minExamples = 10
/** What limited clients ask for without any example: half as much again. */
const assumedMore = 1.5
/** The parts of a golden section: successive clients get examples from all over the range. */
const goldenPart = 0.618_033_988_75

/**
 * Clients by access point, as a world needs them: what they hear, and what they ask for. A client that gets all that it asks for
 * asks for what it gets. What a limited one asks for is not known: at least what it gets, otherwise the same as others.
 */
export function membersOf(
  clients: readonly MeasuredClient[],
  cells: ReadonlyMap<string, Cell>,
): Map<string, NetworkClient[]> {
  const known = clients.flatMap((client) => {
    const cell = cells.get(client.apId)
    return cell && hearsItsOwn(client, cell) ? [{ client, cell, demand: demandOf(client, cell) }] : []
  })
  const examples = examplesOf(known)
  const members = new Map<string, NetworkClient[]>()
  known.forEach(({ client, cell, demand }, n) => {
    const { mbps, isLimited } = demand
    const asked =
      isLimited && mbps !== null ? askedOf(mbps, examples(cell.technology), (n * goldenPart) % 1) : mbps
    const member = {
      mbps: asked === null ? null : rounded(asked),
      heard: heardOf(client, cell, cells),
    }
    const others = members.get(client.apId)
    if (others) others.push(member)
    else members.set(client.apId, [member])
  })
  return members
}

function demandOf({ meanMbps, throughputMbps, rateMbps }: MeasuredClient, { isFull }: Cell): Demand {
  const mbps = meanMbps ?? throughputMbps
  const isAtLink = mbps !== null && rateMbps !== null && mbps > maxLinkShare * rateMbps
  return { mbps, isLimited: isFull || isAtLink }
}

/** What clients ask for that get it, by technology: of all technologies where there are few of one. */
function examplesOf(known: readonly { cell: Cell; demand: Demand }[]): (technology: string) => number[] {
  const free = known.filter(({ demand }) => demand.mbps !== null && !demand.isLimited)
  const sorted = (some: typeof free) => some.map(({ demand }) => demand.mbps as number).sort((a, b) => a - b)
  const byTechnology = new Map(
    [...Map.groupBy(free, ({ cell }) => cell.technology)].map(([name, some]) => [name, sorted(some)]),
  )
  const all = sorted(free)
  return (technology) => {
    const own = byTechnology.get(technology) ?? []
    return own.length >= minExamples ? own : all
  }
}

/** One of the examples above what it gets. */
function askedOf(mbps: number, examples: readonly number[], part: number): number {
  if (examples.length === 0) return assumedMore * mbps
  const more = examples.filter((example) => example > mbps)
  return more[Math.floor(part * more.length)] ?? mbps
}

/** Otherwise it could not be attached in the world: it is counted, and all else about it is assumed. */
const hearsItsOwn = (client: MeasuredClient, cell: Cell): boolean =>
  client.heard?.[client.apId] !== undefined || ownSignal(client, cell) !== null

/** In dBm; of light the SNR in dB. */
const ownSignal = ({ signalDbm, snrDb }: MeasuredClient, { technology }: Cell): number | null =>
  technology === 'LiFi' ? snrDb : signalDbm

/** By the place of access points in the list. Its own one is always heard. */
function heardOf(
  client: MeasuredClient,
  cell: Cell,
  cells: ReadonlyMap<string, Cell>,
): NetworkClient['heard'] {
  const { apId, heard } = client
  const own = ownSignal(client, cell)
  const found = Object.entries(heard ?? {}).flatMap(([other, signal]): [number, number][] => {
    const at = cells.get(other)
    return at ? [[at.index, signal]] : []
  })
  return own === null || heard?.[apId] !== undefined ? found : [[cell.index, own], ...found]
}

const rounded = (value: number) => Number(value.toFixed(3))
