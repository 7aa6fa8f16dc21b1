import { emulatedApNumber } from '@manc/contract'
import type { Cell } from './radio/index.ts'

/** The cells that run in this process, by the ids of their agents. */
export type Cells = Map<string, Cell>

interface Context {
  apId: string
  cells: Cells
  nowMs: number
}

/** Runs a command on a cell: a name followed by its arguments (`set_power 20`). Throws with the reason of a refusal. */
export function runCommand(cell: Cell, command: string, context: Context): object {
  const { nowMs } = context
  const [word = '', first, second] = command.trim().split(/[\s:=]+/)
  const name = word.toLowerCase()
  let outcome = {}
  switch (name) {
    case 'reboot':
      cell.reboot(nowMs)
      break
    case 'power_off':
      cell.powerOff(nowMs)
      break
    case 'power_on':
      cell.powerOn(nowMs)
      break
    case 'set_power':
      cell.setPower(numberOf(first, 'set_power 20'), nowMs)
      break
    case 'set_channel':
      cell.setChannel(numberOf(first, 'set_channel 6'), nowMs)
      break
    case 'steer_client':
      outcome = steer({ ...context, from: cell, to: first, count: countOf(second) })
      break
    default:
      throw new Error(
        `${word} is not known. There are reboot, power_off, power_on, set_power <dBm>, set_channel <n>, steer_client [<ap_id> [<count>]].`,
      )
  }
  const { powered, txPowerDbm, channel, steeredAway, guests } = cell.controlsAt(nowMs)
  const controls = { powered, tx_power_dbm: txPowerDbm, channel, steered_away: steeredAway, guests }
  return { done: name, ...outcome, ...controls }
}

interface Steering extends Context {
  from: Cell
  to: string | undefined
  count: number
}

function steer({ from, to, count, apId, cells, nowMs }: Steering): object {
  if (to === undefined) return { steered: from.steer(nowMs, { count, to }) }
  if (to === apId)
    throw new Error(
      'This is the access point that they are attached to. Name another: steer_client <ap_id> 3.',
    )
  const neighbour = cells.get(to)
  // Access points of other processes are recognised by their ids alone.
  if (!neighbour && emulatedApNumber(to) === undefined)
    throw new Error(
      `${to} is not an emulated access point. Name one by its ap_id, as in steer_client <ap_id> 3; the fleet lists them.`,
    )
  const steered = from.steer(nowMs, { count, to: neighbour })
  if (neighbour) return { steered, to, arrived: steered }
  return {
    steered,
    to,
    arrived: 0,
    note: `${to} is not run by this emulator: the clients left this access point and did not attach there.`,
  }
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
