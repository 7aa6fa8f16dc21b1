import { Cell, type CellOptions, type Scenario, type Technology } from './index.ts'

export const startMs = Date.UTC(2026, 2, 10, 8)
export const hourMs = 3_600_000
export const devicesOf = { '5G': 80, WiFi: 30, LiFi: 6 }

export function cellOf(technology: Technology, scenario: Scenario, more: Partial<CellOptions> = {}): Cell {
  return new Cell({
    technology,
    scenario,
    seed: 'seed',
    devices: devicesOf[technology],
    latitude: 48,
    longitude: 11,
    startMs,
    durationS: 3600,
    ...more,
  })
}

export type Sample = ReturnType<Cell['sampleAt']>

export const every = <Value>(
  fromMs: number,
  toMs: number,
  stepMs: number,
  value: (ms: number) => Value,
): Value[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, n) => value(fromMs + n * stepMs))

/** The mean of a metric over a part of the hour, over many seeds. */
export function meanOf(
  technology: Technology,
  scenario: Scenario,
  metric: string,
  [from, to]: readonly [number, number],
  prepare: (cell: Cell) => void = () => {},
): number {
  const values = Array.from({ length: 12 }, (_, seed) => {
    const cell = cellOf(technology, scenario, { seed: `mean ${seed}` })
    prepare(cell)
    const sampleAt = (ms: number) => cell.sampleAt(ms)?.[metric]
    return every(startMs + from * hourMs, startMs + to * hourMs, 20_000, sampleAt)
  })
    .flat()
    .filter((value) => value !== undefined)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
