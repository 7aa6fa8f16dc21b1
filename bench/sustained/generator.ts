import { fork } from 'node:child_process'
import path from 'node:path'
import type { Done, Order, Pacing, Progress, Report } from './agents.ts'

/** Handle of the process that runs the agents. */
export interface Generator {
  pid: number
  /** Starts sending. */
  send(): void
  /** Its last report. */
  progress(): Progress
  /** Stops sending; resolves when everything is acknowledged, or after a minute. */
  stop(): Promise<Done>
  kill(): void
}

/** Resolves when all agents are connected. */
export async function startGenerator(pacing: Pacing): Promise<Generator> {
  const child = fork(path.join(import.meta.dirname, 'agents.ts'), { execPath: process.execPath })
  let progress: Progress = { due: 0, sent: 0, acknowledged: 0, lostConnections: 0 }
  const sendOrder = (order: Order) => void child.send(order)
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the generator ended with ${code}`)))
  })
  ended.catch(() => {})
  const received = <Is extends Report['is']>(is: Is) =>
    new Promise<Report & { is: Is }>((resolve) => {
      child.on('message', (report: Report) => {
        if (report.is === is) resolve(report as Report & { is: Is })
      })
    })
  child.on('message', (report: Report) => {
    if (report.is !== 'connected') progress = report
  })
  sendOrder(pacing)
  await Promise.race([received('connected'), ended])
  return {
    pid: child.pid ?? 0,
    send: () => sendOrder('send'),
    progress: () => progress,
    async stop() {
      const done = received('done')
      sendOrder('stop')
      return Promise.race([done, ended])
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
