import type { AccessPoint } from './access-point.ts'
import { Grid } from './grid.ts'
import { lifi, wifi } from './parameters.ts'
import { isSameAir } from './sharing.ts'

/** Within this distance neighbours should have different channels, in metres. */
const apartM = { [wifi]: 100, [lifi]: 12 } as const
const maxNeighbours = 64

/**
 * Assigns channels as a controller of a network does: each access point in turn gets the channel that its neighbours use least,
 * near ones weighing more; of equal ones the first from its own random channel on. 5G has one carrier for each cell at random.
 */
export function planChannels(accessPoints: readonly AccessPoint[], xs: Float64Array, ys: Float64Array): void {
  const found = new Int32Array(maxNeighbours + 1)
  for (const technology of [wifi, lifi] as const) {
    const members = accessPoints.filter((one) => one.technology === technology)
    const grid = new Grid(
      apartM[technology],
      xs,
      ys,
      members.map(({ index }) => index),
    )
    for (const one of members) {
      if (one.hasGivenChannel) continue
      const x = xs[one.index] as number
      const y = ys[one.index] as number
      grid.nearest(x, y, found, 0, found.length)
      let best = Number.POSITIVE_INFINITY
      const channels = one.usualChannels
      const first = channels.indexOf(one.channel)
      for (let n = 0; n < channels.length; n++) {
        const channel = channels[(first + n) % channels.length] as number
        let cost = 0
        for (const index of found) {
          if (index < 0) break
          const other = accessPoints[index] as AccessPoint
          // Only those that have theirs already.
          const isPlanned = index < one.index || other.hasGivenChannel
          if (!isPlanned || !isSame(technology, channel, other.channel)) continue
          const dx = x - (xs[index] as number)
          const dy = y - (ys[index] as number)
          cost += 1 / (1 + dx * dx + dy * dy)
        }
        if (cost >= best) continue
        best = cost
        one.channel = channel
      }
    }
  }
}

const isSame = (technology: number, channel: number, other: number): boolean =>
  technology === wifi ? isSameAir(channel, other) : channel === other
