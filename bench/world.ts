import { World, type WorldSpec } from '@manc/emulator/world'
import { type Bench, median, percentile, rounded } from './bench.ts'
import { worldWithController } from './world/with-controller.ts'

const technologies = ['5G', 'WiFi', 'LiFi'] as const
const spacingM = [250, 35, 7]
const daySeconds = 86_400

/** A campus around one place, as an emulation lays it out. */
function campus(counts: readonly number[], devices: number, durationS: number): WorldSpec {
  const accessPoints = technologies.flatMap((technology, n) =>
    Array.from({ length: counts[n] ?? 0 }, (_, index) => {
      const angle = 2 * Math.PI * index * 0.381_966
      const metres = (spacingM[n] ?? 0) * Math.sqrt(index)
      return {
        id: `emu-${technology.toLowerCase()}-0123abcd-${n}${index}`,
        technology,
        seed: `bench ${n} ${index}`,
        network: 'bench',
        latitude: 51.45 + (metres * Math.cos(angle)) / 111_320,
        longitude: -2.6 + (metres * Math.sin(angle)) / 69_380,
        devices,
        scenario: 'daily' as const,
        durationS,
      }
    }),
  )
  // A Tuesday.
  return { accessPoints, startMs: Date.UTC(2026, 2, 10) }
}

/** `ratio` is how many times as fast as real time a campus day runs. */
export const world: Bench = async ({ quick, minutes = 2, log }) => {
  const seconds = quick ? 3600 : daySeconds
  const small = campus([5, 30, 25], 10, daySeconds)
  log(`a campus of ${small.accessPoints.length} access points and 600 clients for ${seconds} s …`)
  const day = new World(small, 'bench')
  const startedAt = performance.now()
  let moves = 0
  for (let s = 0; s < seconds; s++) {
    day.step()
    moves += day.moves.length
  }
  const tookS = (performance.now() - startedAt) / 1000
  const large = new World(
    { ...campus([100, 600, 300], 20, daySeconds), startMs: Date.UTC(2026, 2, 10, 10) },
    'bench',
  )
  log(`${large.accessPoints.length} access points and ${large.clients} clients, second by second …`)
  const steps = quick ? 30 : 300
  const times = Array.from({ length: steps + 10 }, () => {
    const before = performance.now()
    large.step()
    return performance.now() - before
  }).slice(10)
  return {
    ratio: rounded(seconds / tookS, 0),
    day_took_s: rounded((tookS * daySeconds) / seconds, 1),
    day_moves_per_client_and_hour: rounded(moves / day.clients / (seconds / 3600), 2),
    large_clients: large.clients,
    large_step_p50_ms: rounded(median(times), 1),
    large_step_p99_ms: rounded(percentile(times, 0.99), 1),
    large_of_one_core: rounded(times.reduce((sum, time) => sum + time, 0) / steps / 1000, 3),
    ...(quick ? {} : await worldWithController(minutes * 60, log)),
  }
}
