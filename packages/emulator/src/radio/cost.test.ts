import { expect, it } from 'vitest'
import { Cell, type Scenario, scenarios, type Technology, technologies } from './index.ts'

const mostMicroseconds = 20

it(`a sample takes less than ${mostMicroseconds} us of the processor`, () => {
  const startMs = Date.UTC(2026, 2, 10, 9)
  const cells = Array.from(
    { length: 300 },
    (_, n) =>
      new Cell({
        technology: technologies[n % 3] as Technology,
        scenario: scenarios[Math.floor(n / 3) % scenarios.length] as Scenario,
        seed: `cost ${n}`,
        devices: 200,
        latitude: 48,
        longitude: 11,
        startMs,
        durationS: 86_400,
      }),
  )
  // Rounds of one sample of every cell, as once a second.
  const rounds = Array.from({ length: 70 }, (_, second) => {
    const before = process.cpuUsage()
    for (const cell of cells) cell.sampleAt(startMs + second * 1000)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / cells.length
  })
  // The better quarter: this may run beside other work.
  const undisturbed = rounds.sort((a, b) => a - b)[Math.floor(rounds.length / 4)] as number
  process.stdout.write(
    `A sample takes ${undisturbed.toFixed(1)} us in the better quarter of ${rounds.length} rounds.\n`,
  )
  expect(undisturbed).toBeLessThan(mostMicroseconds)
})
