import { fork } from 'node:child_process'
import path from 'node:path'
import type { FleetAgent } from '@manc/harness/load'
import type { Done, Order, Progress, Report } from './agents.ts'

/** The agents' process, as seen from outside. */
export interface Generator {
  pid: number
  /** Begins to send. */
  send(): void
  /** What it has said last. */
  progress(): Progress
  /** Sends no more; resolves when everything is acknowledged, or after a minute. */
  stop(): Promise<Done>
  kill(): void
}

/** Resolves when all agents are connected. */
export async function startGenerator(mqttUrl: string, agents: FleetAgent[]): Promise<Generator> {
  const child = fork(path.join(import.meta.dirname, 'agents.ts'), { execPath: process.execPath })
  let progress: Progress = { due: 0, sent: 0, acknowledged: 0, lostConnections: 0 }
  const tell = (order: Order) => void child.send(order)
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the generator ended with ${code}`)))
  })
  ended.catch(() => {})
  const heard = <Is extends Report['is']>(is: Is) =>
    new Promise<Report & { is: Is }>((resolve) => {
      child.on('message', (report: Report) => {
        if (report.is === is) resolve(report as Report & { is: Is })
      })
    })
  child.on('message', (report: Report) => {
    if (report.is !== 'connected') progress = report
  })
  tell({ mqttUrl, agents })
  await Promise.race([heard('connected'), ended])
  return {
    pid: child.pid ?? 0,
    send: () => tell('send'),
    progress: () => progress,
    async stop() {
      const done = heard('done')
      tell('stop')
      return Promise.race([done, ended])
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
