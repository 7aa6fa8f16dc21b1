import type { Cell } from './radio/index.ts'

/** The cells that run in this process, by the ids of their agents. */
export type Cells = Map<string, Cell>

interface Around {
  apId: string
  cells: Cells
  nowMs: number
}

/** Carries a command out on a cell: the word, and after it what it needs (`set_power 20`). */
export function carryOut(cell: Cell, command: string, { apId, cells, nowMs }: Around): object {
  const [word = '', value, more] = command.trim().split(/[\s:=]+/)
  let outcome = {}
  switch (word.toLowerCase()) {
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
      cell.setPower(numberOf(value, 'set_power 20'), nowMs)
      break
    case 'set_channel':
      cell.setChannel(numberOf(value, 'set_channel 6'), nowMs)
      break
    case 'steer_client':
      outcome = steer({ from: cell, to: value, count: countOf(more), apId, cells, nowMs })
      break
    default:
      throw new Error(
        `${word} is not known. There are reboot, power_off, power_on, set_power <dBm>, set_channel <n>, steer_client [<ap_id> [<count>]].`,
      )
  }
  const { powered, txPowerDbm, channel, steeredAway, guests } = cell.controlsAt(nowMs)
  const controls = { powered, tx_power_dbm: txPowerDbm, channel, steered_away: steeredAway, guests }
  return { done: word.toLowerCase(), ...outcome, ...controls }
}

interface Handover extends Around {
  from: Cell
  to: string | undefined
  count: number
}

/** Nothing but its id tells of an emulated access point that another process runs. */
const emulatedId = /^emu-(5g|wifi|lifi)-[\da-f]{8}-\d+$/

function steer({ from, to, count, apId, cells, nowMs }: Handover): object {
  if (to === undefined) return { steered: from.steer(nowMs, { count, to }) }
  if (to === apId)
    throw new Error('This access point has them already. Name another, as in steer_client <ap_id> 3.')
  const neighbour = cells.get(to)
  if (!neighbour && !emulatedId.test(to))
    throw new Error(
      `${to} is no emulated access point. Name one by its ap_id, as in steer_client <ap_id> 3; the fleet lists them.`,
    )
  const steered = from.steer(nowMs, { count, to: neighbour })
  if (neighbour) return { steered, to, arrived: steered }
  return {
    steered,
    to,
    arrived: 0,
    note: `${to} is not run by this emulator: they left, and arrive nowhere.`,
  }
}

function countOf(text = '1'): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`${text} is no number of clients. Say how many, as in steer_client <ap_id> 3.`)
  return count
}

function numberOf(text: string | undefined, example: string): number {
  const number = Number(text)
  if (text === undefined || !Number.isFinite(number))
    throw new Error(`A number is missing, as in ${example}.`)
  return number
}
