import { expect, it } from 'vitest'
import { type HistoryData, readHistory } from './read-history.ts'

async function* values(count: number) {
  for (let n = 0; n < count; n++)
    yield { time: new Date(n * 1000).toISOString(), field: n % 2 ? 'load_pct' : 'clients', value: n }
}

it('sorts what comes by metric, and says when it is whole', async () => {
  const told: HistoryData[] = []
  await readHistory(values(10), { fromMs: 0, toMs: 10_000, onProgress: (past) => told.push(past) })
  const last = told.at(-1)
  expect(last).toMatchObject({ count: 10, progress: 1, isComplete: true })
  expect(last?.series.get('load_pct')).toEqual({
    at: [1000, 3000, 5000, 7000, 9000],
    values: [1, 3, 5, 7, 9],
  })
  expect(told[0]).toMatchObject({ progress: 0, isComplete: false })
})

it('says what to do where there is too much', async () => {
  await expect(
    readHistory(values(11), { fromMs: 0, toMs: 1, onProgress: () => {}, most: 10 }),
  ).rejects.toThrow('Select a shorter period')
})
