import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Vmalert } from '@manc/harness/vmalert-process'
import { median, takeTurns } from '../bench.ts'
import { type BenchEnvironment, startBare } from '../environment.ts'
import { openAlarms } from './agents.ts'
import { Evaluations } from './evaluations.ts'

/** Of the rules while rates are measured. */
const shortIntervalS = 5
/** Evaluations of a turn, after one that is not counted. */
const evaluationsPerTurn = 3
/** On a busy machine an evaluation may begin before the rows of the one before are deleted. It does not count. */
const maxAttempts = 12
interface Rates {
  environment: BenchEnvironment
  folder: string
  /** Turns of each side. */
  turns: number
  /** That are raised in each evaluation. */
  alarms: number
  log: (line: string) => void
}

/** vmalert sends every alert again at each evaluation; without the rows of the evaluation before, all are raised again. */
export async function measureRates({ environment, folder, turns, alarms: expected, log }: Rates) {
  const { server, engines } = environment
  // The rules that the controller has now, evaluated more often.
  const response = await fetch(`${server.internalUrl}/alarms/rules.yml`)
  const { groups } = (await response.json()) as { groups: { name: string }[] }
  const own = groups.filter(({ name }) => name !== 'heartbeat')
  const rules = path.join(folder, 'rates.yml')
  const more = { interval: `${shortIntervalS}s` }
  writeFileSync(rules, JSON.stringify({ groups: own.map((group) => ({ ...group, ...more })) }))
  const bare = await startBare('alarms.ts', {})

  /** `isValid` says whether all alarms of the evaluation are there, and prepares the next one. */
  const turn = async (notifier: string, isValid: () => Promise<boolean>): Promise<number> => {
    const vmalert = new Vmalert({ rules, victoria: engines.urls.victoria, notifier })
    await vmalert.start()
    try {
      const evaluations = new Evaluations(vmalert.url)
      // With empty caches.
      await evaluations.next()
      await isValid()
      const rates: number[] = []
      for (let attempts = 0; rates.length < evaluationsPerTurn; attempts++) {
        if (attempts === maxAttempts) throw new Error(`vmalert does not send ${expected} alerts at a time`)
        const { seconds, alerts } = await evaluations.next()
        if ((await isValid()) && alerts >= expected) rates.push(expected / seconds)
      }
      return median(rates)
    } finally {
      await vmalert.stop()
    }
  }
  const areRaised = async () => {
    const raised = await openAlarms(environment)
    await environment.sql('delete from alarms')
    return raised === expected
  }

  await environment.sql('delete from alarms')
  try {
    return await takeTurns({
      rounds: turns,
      ours: () => turn(server.internalUrl, areRaised),
      bare: () => turn(bare.url, async () => true),
      log,
    })
  } finally {
    bare.stop()
  }
}
