import { expect, it } from 'vitest'
import { Cell, type Scenario, scenarios, type Technology, technologies } from './index.ts'

const maxMicroseconds = 20
const seconds = 70
const maxTries = 5

it(`a sample takes less than ${maxMicroseconds} us of the processor`, () => {
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
  let second = 0
  /** Rounds of one sample of every cell, as once a second. */
  const measure = () => {
    const rounds = Array.from({ length: seconds }, () => {
      const before = process.cpuUsage()
      for (const cell of cells) cell.sampleAt(startMs + second * 1000)
      const { user, system } = process.cpuUsage(before)
      second += 1
      return (user + system) / cells.length
    })
    // The better quarter: this may run beside other work.
    return rounds.sort((a, b) => a - b)[Math.floor(rounds.length / 4)] as number
  }
  let undisturbed = measure()
  // Others that share the caches of the processor may disturb even that for a while.
  for (let tries = 1; undisturbed >= maxMicroseconds && tries < maxTries; tries++)
    undisturbed = Math.min(undisturbed, measure())
  process.stdout.write(
    `A sample takes ${undisturbed.toFixed(1)} us in the better quarter of ${seconds} rounds.\n`,
  )
  expect(undisturbed).toBeLessThan(maxMicroseconds)
})
