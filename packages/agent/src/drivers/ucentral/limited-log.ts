import type { Log } from '../../log.ts'
import { Budget } from './budget.ts'

/** Peers that connect again and again must not fill the log: 20 lines at once, then 6 a minute. The next line has how many are missing. */
export function limitedLog(log: Log): Log {
  const budget = new Budget(20, 0.1)
  let leftOut = 0
  return (level, message, fields) => {
    if (!budget.take()) {
      leftOut += 1
      return
    }
    log(level, message, { ...fields, ...(leftOut > 0 && { lines_left_out: leftOut }) })
    leftOut = 0
  }
}
