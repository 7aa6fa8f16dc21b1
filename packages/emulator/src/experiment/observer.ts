import type { AccessPointView, ClientView, Outcome, Proposal, View } from '@manc/advisor'
import type { World, WorldSpec } from '../world/index.ts'

/** Each client reports its neighbours once in so many seconds, by turns. */
export const reportS = 5
const metresPerDegree = 111_320

interface MutableView extends View {
  accessPoints: AccessPointView[]
  clients: ClientView[]
}

/** Turns the state of a world into what the interface tells an application, and its proposals into commands. */
export class Observer {
  readonly view: MutableView
  /** Watts of each access point in this second, of LiFi without its light, which shines anyway. */
  readonly watts: Float64Array
  #world: World | undefined
  readonly #indexes: ReadonlyMap<string, number>

  constructor({ accessPoints }: WorldSpec) {
    this.#indexes = new Map(accessPoints.map(({ id }, index) => [id, index]))
    this.watts = new Float64Array(accessPoints.length)
    const [first] = accessPoints
    const cosine = Math.cos(((first?.latitude ?? 0) * Math.PI) / 180)
    this.view = {
      s: -1,
      accessPoints: accessPoints.map(({ id, technology, latitude, longitude, isOff = false }) => ({
        id,
        technology,
        x: (longitude - (first?.longitude ?? 0)) * metresPerDegree * cosine,
        y: (latitude - (first?.latitude ?? 0)) * metresPerDegree,
        isOn: false,
        isAsleep: isOff,
        load: 0,
        utilisation: 0,
        others: 0,
        channel: 0,
        clients: 0,
        powerW: 0,
        isBlocked: false,
      })),
      clients: [],
    }
  }

  /** Continues with another world of the same spec: what sleeps goes on sleeping. */
  begin(world: World): void {
    this.#world = world
    if (this.view.clients.length === 0)
      for (let client = 0; client < world.clients; client++)
        this.view.clients.push({
          id: world.clientId(client),
          accessPoint: -1,
          sinceS: 0,
          signal: 0,
          rateMbps: 0,
          deliveredMbps: 0,
          heard: [],
          heardS: -1,
        })
    for (const { id, isAsleep } of this.view.accessPoints) if (isAsleep) world.command(id, 'sleep')
  }

  observe(): void {
    const { view } = this
    const world = this.#world as World
    view.s = world.second
    view.accessPoints.forEach((one, index) => {
      const sample = world.sampleOf(one.id)
      one.isOn = sample !== undefined && (sample['uptime_s'] ?? 0) > 0
      one.load = (sample?.['load_pct'] ?? 0) / 100
      const busy = sample?.['channel_utilisation_pct']
      one.utilisation = busy === undefined ? one.load : busy / 100
      one.others = busy === undefined ? 0 : Math.max(0, (busy - (sample?.['airtime_pct'] ?? 0)) / 100)
      one.channel = sample?.['channel'] ?? 0
      one.clients = sample?.['clients'] ?? 0
      one.powerW = sample?.['power_w'] ?? 0
      one.isBlocked = sample?.['blockage'] === 1
      this.watts[index] = one.powerW - lightOf(one, sample?.['tx_power_dbm'])
    })
    view.clients.forEach((one, client) => {
      const state = world.clientState(client)
      one.accessPoint =
        state.accessPoint === undefined ? -1 : (this.#indexes.get(state.accessPoint) as number)
      one.sinceS = state.sinceS
      one.signal = state.signal
      one.rateMbps = state.rateMbps
      one.deliveredMbps = state.deliveredMbps
      if ((view.s + client) % reportS !== 0 || one.accessPoint < 0) return
      one.heard = []
      one.heardS = view.s
      world.heardBy(client, (accessPoint, signal) => one.heard.push({ accessPoint, signal }))
    })
  }

  execute(proposals: readonly Proposal[]): Outcome[] {
    return proposals.map((proposal) => {
      const { accessPoints, clients } = this.view
      const world = this.#world as World
      if (proposal.kind !== 'steer') {
        const one = accessPoints[proposal.accessPoint] as AccessPointView
        world.command(one.id, proposal.kind)
        one.isAsleep = proposal.kind === 'sleep'
        return { proposal, done: true, status: 0 }
      }
      const from = accessPoints[proposal.from] as AccessPointView
      const to = accessPoints[proposal.to] as AccessPointView
      const client = clients[proposal.client] as ClientView
      const answer = world.command(from.id, `steer_client ${client.id} ${to.id}`) as {
        moved: boolean
        status: number
      }
      return { proposal, done: answer.moved, status: answer.status }
    })
  }
}

/** The LED turns 35 % of its power into light, and its driver loses a tenth. */
const lightEfficiency = 0.35 * 0.9

function lightOf({ technology, isOn }: AccessPointView, txPowerDbm = 0): number {
  return technology === 'LiFi' && isOn ? 10 ** ((txPowerDbm - 30) / 10) / lightEfficiency : 0
}
