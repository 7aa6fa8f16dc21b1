import type { FleetAgent } from '@manc/sdk'

/** Where they are, as the interface writes an area; undefined where nobody is anywhere. */
export function areaOf(agents: readonly Pick<FleetAgent, 'position'>[]): string | undefined {
  const at = agents.flatMap(({ position }) => position ?? [])
  if (at.length === 0) return undefined
  const longitudes = at.map(({ longitude }) => longitude)
  const latitudes = at.map(({ latitude }) => latitude)
  return [least(longitudes), least(latitudes), most(longitudes), most(latitudes)].join(',')
}

const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b))
const most = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b))
