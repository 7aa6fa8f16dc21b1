/**
 * Loaded into `manc-agent` before its program (`node --import`): counts its samples and measures how late they are. The program
 * itself is not changed. At its end it writes the result into the file of MANC_BENCH_PROBE; SIGUSR2 begins the measurement.
 */
import { writeFileSync } from 'node:fs'
import { Schedule } from '../../packages/agent/src/gateway/schedule.ts'
import { ConnectedAgent } from '../../packages/sdk/src/agent/connected-agent.ts'

export interface ProbeResult {
  /** Samples since the start of the program. */
  recorded: number
  /** Since the measurement began: readings that failed, and how late samples were against the schedule. */
  failedReadings: number
  latenessMs: number[]
}

const result: ProbeResult = { recorded: 0, failedReadings: 0, latenessMs: [] }
// oxlint-disable-next-line typescript/unbound-method -- called with its object below
const { record } = ConnectedAgent.prototype
// oxlint-disable-next-line typescript/unbound-method -- called with their object below
const { succeeded, failed } = Schedule.prototype

ConnectedAgent.prototype.record = function (this: ConnectedAgent, ...sample) {
  record.apply(this, sample)
  result.recorded += 1
}
// Called right after the sample is recorded. The delay from the time 0 on is the time at which the reading was due.
Schedule.prototype.succeeded = function (this: Schedule, nowMs = Date.now()) {
  result.latenessMs.push(nowMs - this.delayMs(0))
  succeeded.call(this, nowMs)
}
Schedule.prototype.failed = function (this: Schedule, nowMs = Date.now()) {
  result.failedReadings += 1
  failed.call(this, nowMs)
}

process.on('SIGUSR2', () => {
  result.failedReadings = 0
  result.latenessMs = []
})
process.once('exit', () => {
  const file = process.env['MANC_BENCH_PROBE']
  if (file) writeFileSync(file, JSON.stringify(result))
})
