import { emulatedApNumber } from '@manc/contract'
import type { AccessPoint } from './access-point.ts'
import type { ClientState, Steering } from './types.ts'

/** What commands need of a world. */
interface World {
  readonly second: number
  readonly accessPoints: readonly AccessPoint[]
  clientOf: (id: string) => number | undefined
  clientState: (client: number) => ClientState
  clientsOf: (accessPoint: AccessPoint) => number[]
  devicesOf: (client: number) => number
  signalTo: (client: number, accessPoint: AccessPoint) => number
  steer: (client: number, to: AccessPoint) => Steering
  sendAway: (client: number) => void
  sleep: (accessPoint: AccessPoint) => number
  setChannel: (accessPoint: AccessPoint, channel: number) => void
  steeredOf: (accessPoint: AccessPoint) => { away: number; here: number }
}

const known =
  'reboot, power_off, power_on, sleep, wake, set_power <dBm>, set_channel <n>, steer_client <client> <ap_id>, steer_client [<ap_id> [<count>]]'

/** Runs a command at an access point: a name followed by its arguments (`set_power 20`). Throws with the reason of a refusal. */
export function runWorldCommand(world: World, accessPoint: AccessPoint, command: string): object {
  const [word = '', first, second] = command.trim().split(/[\s:=]+/)
  const name = word.toLowerCase()
  // The radio is off from the next second on, and boots from there.
  const s = world.second
  let outcome = {}
  switch (name) {
    case 'reboot':
      accessPoint.reboot(s)
      break
    case 'power_off':
      accessPoint.powerOff()
      break
    case 'power_on':
      accessPoint.powerOn(s)
      break
    case 'sleep':
      outcome = { handed_over: world.sleep(accessPoint) }
      break
    case 'wake':
      accessPoint.wake(s)
      break
    case 'set_power':
      accessPoint.setPower(numberOf(first, 'set_power 20'))
      break
    case 'set_channel':
      world.setChannel(accessPoint, numberOf(first, 'set_channel 6'))
      break
    case 'steer_client':
      outcome =
        first !== undefined && world.clientOf(first) !== undefined
          ? steerOne(world, accessPoint, first, second)
          : steerSome(world, accessPoint, first, countOf(second))
      break
    default:
      throw new Error(`${word} is not known. There are ${known}.`)
  }
  const { away, here } = world.steeredOf(accessPoint)
  const { powered, asleep, txPowerDbm, channel } = accessPoint
  const controls = {
    powered,
    asleep,
    tx_power_dbm: txPowerDbm,
    channel,
    steered_away: away,
    steered_here: here,
  }
  return { done: name, ...outcome, ...controls }
}

/** The client moves or refuses: either is a result of the command. */
function steerOne(world: World, from: AccessPoint, id: string, to: string | undefined): object {
  const client = world.clientOf(id) as number
  const target = targetOf(world, from, to)
  if (!target)
    throw new Error(
      `${to} is not in the same world as this access point. Name one that its clients can reach.`,
    )
  const { accessPoint } = world.clientState(client)
  if (accessPoint !== from.spec.id)
    throw new Error(
      accessPoint === undefined
        ? `${id} is attached to no access point. Wait until it is.`
        : `${id} is attached to ${accessPoint}. Send the command there.`,
    )
  const steering = world.steer(client, target)
  const answer = { client: id, to: steering.to, moved: steering.moved, status: steering.status }
  return steering.moved
    ? { ...answer, interruption_ms: steering.interruptionMs, text: `moved in ${steering.interruptionMs} ms` }
    : { ...answer, cause: steering.cause, text: `refused with status ${steering.status}: ${steering.cause}` }
}

/** Those with the best signal from the target first. */
function steerSome(world: World, from: AccessPoint, to: string | undefined, count: number): object {
  const target = to === undefined ? undefined : targetOf(world, from, to)
  if (target && !target.isOn)
    throw new Error('The other access point is off or restarting. Switch it on, or name another.')
  const clients = world.clientsOf(from)
  if (clients.length === 0)
    throw new Error('There is no client to steer. Choose an access point that has clients.')
  const ranked = target
    ? clients
        .map((client) => ({ client, signal: world.signalTo(client, target) }))
        .sort((a, b) => b.signal - a.signal || a.client - b.client)
        .map(({ client }) => client)
    : clients
  let steered = 0
  const causes: string[] = []
  for (const client of ranked) {
    if (steered >= count) break
    const devices = world.devicesOf(client)
    const steering = target && world.steer(client, target)
    if (!steering) world.sendAway(client)
    else if (!steering.moved) {
      causes.push(steering.cause)
      continue
    }
    steered += devices
  }
  if (steered === 0)
    throw new Error(
      `No client has moved to ${to}. ${mostFrequent(causes)} Name another access point, or try again later.`,
    )
  if (to === undefined) return { steered }
  if (target) return { steered, to, arrived: steered }
  return {
    steered,
    to,
    arrived: 0,
    note: `${to} is not in the same world: the clients left this access point and did not attach there.`,
  }
}

/** With how often it occurs, where there are others. */
function mostFrequent(causes: readonly string[]): string {
  const counts = [...Map.groupBy(causes, (cause) => cause)].map(
    ([cause, all]) => [cause, all.length] as const,
  )
  const [cause, count] = counts.sort(([, a], [, b]) => b - a)[0] ?? ['', 0]
  return counts.length > 1 ? `${cause} (${count} of ${causes.length} clients)` : cause
}

/** Undefined where it is an emulated access point of another world. */
function targetOf(world: World, from: AccessPoint, to: string | undefined): AccessPoint | undefined {
  if (to === undefined)
    throw new Error('Name an access point by its ap_id, as in steer_client <client> <ap_id>.')
  if (to === from.spec.id)
    throw new Error(
      'This is the access point that they are attached to. Name another: steer_client <ap_id> 3.',
    )
  const target = world.accessPoints.find(({ spec }) => spec.id === to)
  if (!target && emulatedApNumber(to) === undefined)
    throw new Error(
      `${to} is not an emulated access point. Name one by its ap_id, as in steer_client <ap_id> 3; the fleet lists them.`,
    )
  return target
}

function countOf(text = '1'): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`${text} is not a number of clients. Write a whole number, as in steer_client <ap_id> 3.`)
  return count
}

function numberOf(text: string | undefined, example: string): number {
  const number = Number(text)
  if (text === undefined || !Number.isFinite(number))
    throw new Error(`A number is missing. Write one, as in ${example}.`)
  return number
}
