import type { Cell } from './radio/index.ts'

/** Carries a command out on a cell: the word, and after it a number where it needs one (`set_power 20`). */
export function carryOut(cell: Cell, command: string, nowMs: number): object {
  const [word = '', value] = command.trim().split(/[\s:=]+/)
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
      cell.steerClient(nowMs)
      break
    default:
      throw new Error(
        `${word} is not known. There are reboot, power_off, power_on, set_power <dBm>, set_channel <n>, steer_client.`,
      )
  }
  return { done: word.toLowerCase(), ...cell.controlsAt(nowMs) }
}

function numberOf(text: string | undefined, example: string): number {
  const number = Number(text)
  if (text === undefined || !Number.isFinite(number))
    throw new Error(`A number is missing, as in ${example}.`)
  return number
}
