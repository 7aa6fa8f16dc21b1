import { expect, it } from 'vitest'
import { type HistoryData, readHistory } from './read-history.ts'

async function* values(count: number) {
  for (let n = 0; n < count; n++)
    yield { time: new Date(n * 1000).toISOString(), field: n % 2 ? 'load_pct' : 'clients', value: n }
}

it('values are grouped by metric, and the end is reported', async () => {
  const reports: HistoryData[] = []
  await readHistory(values(10), { fromMs: 0, toMs: 10_000, onProgress: (past) => reports.push(past) })
  const last = reports.at(-1)
  expect(last).toMatchObject({ count: 10, progress: 1, isComplete: true })
  expect(last?.series.get('load_pct')).toEqual({
    at: [1000, 3000, 5000, 7000, 9000],
    values: [1, 3, 5, 7, 9],
  })
  expect(reports[0]).toMatchObject({ progress: 0, isComplete: false })
})

it('too many values are rejected with advice', async () => {
  await expect(
    readHistory(values(11), { fromMs: 0, toMs: 1, onProgress: () => {}, max: 10 }),
  ).rejects.toThrow('Select a shorter period')
})
