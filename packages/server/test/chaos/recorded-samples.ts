import { readFileSync } from 'node:fs'
import { exportedPoints, valueOf } from '@manc/harness/load'
import type { History } from './history.ts'

/** Adds the log of the generator: sent samples, and acknowledgements with their delay. */
export function recordSamples(history: History, sampleLog: string, httpAgents: ReadonlySet<string>): void {
  for (const line of readFileSync(sampleLog, 'utf8').split('\n')) {
    const [type, apId = '', ts, delayMs] = line.split(' ')
    const subject = `${apId} ${ts}`
    const kind = httpAgents.has(apId) ? 'http' : 'mqtt'
    if (type === 'i') history.add({ type: 'invoke', id: subject, kind, subject }, Number(ts))
    if (type === 'a') history.add({ type: 'ok', id: subject }, Number(ts) + Number(delayMs))
  }
}

/** Adds what a store has of each sample. */
export async function recordStored(history: History, store: string, url: string, prefix: string) {
  const samples = new Map<string, { points: number; repeated: number; wrong: number }>()
  for await (const { apId, metric, timestamps, values } of exportedPoints(url, prefix)) {
    let last = -1
    timestamps.forEach((ts, n) => {
      const subject = `${apId} ${ts}`
      const found = samples.get(subject) ?? { points: 0, repeated: 0, wrong: 0 }
      samples.set(subject, found)
      if (ts === last) found.repeated += 1
      else if (values[n] !== valueOf(ts, metric)) found.wrong += 1
      else found.points += 1
      last = ts
    })
  }
  for (const [subject, found] of samples) history.add({ type: 'stored', store, subject, ...found })
}
