import { World, type WorldSpec } from '@manc/emulator/world'
import { ClientChanges } from '../../packages/emulator/src/client-changes.ts'
import { type MeasuredClient, meanOverS } from '../../packages/server/src/modules/clients/index.ts'
import type { KnownAgent } from '../../packages/server/src/modules/experiments/what-if.rules.ts'

/** Agents send a snapshot of their clients this often. */
const snapshotS = 20
/** The weight of a snapshot in the running mean of the controller. */
const weight = 1 - Math.exp(-snapshotS / meanOverS)

interface Known {
  agents: KnownAgent[]
  clients: MeasuredClient[]
}

/** What the controller knows of a world at a second: samples of access points, and the reports of their clients since `fromS`. */
export function knownOf(
  spec: WorldSpec,
  seed: string,
  { fromS, atS }: { fromS: number; atS: number },
): Known {
  const world = new World(spec, seed, { fromS })
  const changes = new ClientChanges(world, spec.startMs)
  const means = new Map<string, number>()
  let clients: MeasuredClient[] = []
  for (let s = fromS; s < atS; s++) {
    world.step()
    if ((atS - 1 - s) % snapshotS === 0) clients = clientsOf(world, changes, means)
  }
  const agents = spec.accessPoints.map(({ id, technology, latitude, longitude }): KnownAgent => {
    const sample = world.sampleOf(id) ?? {}
    const metric = (name: string) => sample[name] ?? null
    const radio = Object.entries(sample).filter(([name]) => radioNames.has(name))
    return {
      apId: id,
      technology,
      // One that has failed sends nothing.
      state: world.sampleOf(id) ? 'online' : 'offline',
      latitude,
      longitude,
      metrics: {
        clients: metric('clients'),
        throughput_mbps: metric('throughput_mbps'),
        load_pct: metric('load_pct'),
      },
      radio: Object.fromEntries(radio),
    }
  })
  return { agents, clients }
}

const radioNames = new Set(['channel', 'tx_power_dbm', 'uptime_s'])

/** All snapshots of a second. */
function clientsOf(world: World, changes: ClientChanges, means: Map<string, number>): MeasuredClient[] {
  return world.accessPoints.flatMap(({ spec: { id: apId } }) =>
    (changes.take(apId, true)?.joined ?? []).map((client) => {
      const { throughput_mbps: mbps = 0, signal_dbm: dbm, snr_db: db, rate_mbps: rate, heard } = client
      const before = means.get(client.client) ?? mbps
      const meanMbps = before + (mbps - before) * weight
      means.set(client.client, meanMbps)
      return {
        apId,
        signalDbm: dbm ?? null,
        snrDb: db ?? null,
        rateMbps: rate ?? null,
        throughputMbps: mbps,
        meanMbps,
        heard: heard ?? null,
      }
    }),
  )
}
