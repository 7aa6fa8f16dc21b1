/** The agents of the campus: a day of samples, then live ones and results of commands. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Manc } from '@manc/sdk'
import { AgentHttp, AgentRefused } from '@manc/sdk/agent'
import { accessPoints, type CampusAccessPoint, configurationOf, measure } from './campus.ts'

const password = 'a-password-of-the-campus'
const dayS = 24 * 3600
const hourS = 3600
/** Between samples of the last hour, and of live ones. */
const intervalS = 10
/** Between samples of the rest of the day. */
const sparseS = 60

interface Agent {
  accessPoint: CampusAccessPoint
  http: AgentHttp
}

/** Registers all access points, with a day of samples. */
export async function createAgents(manc: Manc, url: string, nowMs: number): Promise<Agent[]> {
  const agents: Agent[] = []
  for (const accessPoint of accessPoints) {
    const { id } = accessPoint
    await manc.agents.register({ ap_id: id, password, configuration: configurationOf(accessPoint) })
    const http = new AgentHttp({
      url,
      apId: id,
      password,
      onCommand: ({ command }) => resultOf(accessPoint, command),
    })
    await http.onboard(configurationOf(accessPoint))
    for (const batch of [
      samples(accessPoint, nowMs, dayS, hourS, sparseS),
      samples(accessPoint, nowMs, hourS, 0, intervalS),
    ])
      await http.send(batch)
    agents.push({ accessPoint, http })
  }
  return agents
}

function samples(accessPoint: CampusAccessPoint, nowMs: number, fromS: number, toS: number, stepS: number) {
  const times = Array.from(
    { length: Math.floor((fromS - toS) / stepS) },
    (_, n) => nowMs - (fromS - n * stepS) * 1000,
  )
  return times.map((ts) => ({ ts, payload: measure(accessPoint, ts, nowMs) }))
}

/** Sends a sample of each agent every 10 s until the signal. One that is offline sends only the first. */
export async function runAgents(agents: readonly Agent[], nowMs: number, signal: AbortSignal): Promise<void> {
  let isFirst = true
  while (!signal.aborted) {
    const ts = Date.now()
    for (const { accessPoint, http } of agents) {
      if (accessPoint.fault?.kind === 'offline' && !isFirst) continue
      // Values stay those of the hour of the pictures.
      const payload = measure(accessPoint, ts, Math.max(ts, nowMs))
      await http.send([{ ts, payload }], signal).catch((error: unknown) => {
        if (signal.aborted) return
        if (!(error instanceof AgentRefused)) throw error
        console.error(`  ${accessPoint.id}: ${error.message}`)
      })
    }
    isFirst = false
    await sleep(Math.max(0, intervalS * 1000 - (Date.now() - ts)), undefined, { signal }).catch(() => {})
  }
}

/** What an access point answers. A channel that it does not have is refused, so that there is a failed job. */
async function resultOf(accessPoint: CampusAccessPoint, command: string): Promise<object> {
  const [name = '', value] = command.split(' ')
  if (name === 'set_channel' && Number(value) > 165)
    throw new Error(`${accessPoint.technology} has no channel ${value}. Choose one of 1 to 165.`)
  return { done: name, ...(value !== undefined && { value: Number(value) }) }
}
