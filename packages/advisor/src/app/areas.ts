/** Access points that are further apart have no clients in common, in metres. */
const joinM = 200
const metresPerDegree = 111_320

interface Placed {
  position: { latitude: number; longitude: number }
}

/** Metres east and north of an origin. Exact enough within an area. */
export function metresFrom(origin: Placed, { position }: Placed): { x: number; y: number } {
  const cosine = Math.cos((origin.position.latitude * Math.PI) / 180)
  return {
    x: (position.longitude - origin.position.longitude) * metresPerDegree * cosine,
    y: (position.latitude - origin.position.latitude) * metresPerDegree,
  }
}

/**
 * Divides access points into areas between which no client moves, of at most `max`: the cost of a decision grows with the
 * square of the area. An area with more is cut along its longer side.
 */
export function divide<T extends Placed>(all: readonly T[], max: number): T[][] {
  const [origin] = all
  if (!origin) return []
  const places = all.map((one) => ({ one, ...metresFrom(origin, one) }))
  const cells = Map.groupBy(places.keys(), (index) => cellOf(places[index] as Place<T>))
  const parents = Int32Array.from(places.keys())
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== root) root = parents[root] as number
    parents[index] = root
    return root
  }
  places.forEach((place, index) => {
    for (const [east, north] of around)
      for (const other of cells.get(cellOf(place, east, north)) ?? [])
        if (other < index && distanceOf(place, places[other] as Place<T>) <= joinM)
          parents[rootOf(index)] = rootOf(other)
  })
  const groups = Map.groupBy(places.keys(), rootOf)
  return [...groups.values()].flatMap((group) =>
    cut(
      group.map((index) => places[index] as Place<T>),
      max,
    ),
  )
}

interface Place<T> {
  one: T
  x: number
  y: number
}

const around = [-1, 0, 1].flatMap((east) => [-1, 0, 1].map((north) => [east, north] as const))

const cellOf = ({ x, y }: { x: number; y: number }, east = 0, north = 0): string =>
  `${Math.floor(x / joinM) + east} ${Math.floor(y / joinM) + north}`

const distanceOf = (a: Place<unknown>, b: Place<unknown>): number => Math.hypot(a.x - b.x, a.y - b.y)

function cut<T>(places: readonly Place<T>[], max: number): T[][] {
  if (places.length <= max) return [places.map(({ one }) => one)]
  const side = extentOf(places, 'x') >= extentOf(places, 'y') ? 'x' : 'y'
  const sorted = places.toSorted((a, b) => a[side] - b[side])
  const middle = Math.floor(sorted.length / 2)
  return [...cut(sorted.slice(0, middle), max), ...cut(sorted.slice(middle), max)]
}

function extentOf(places: readonly Place<unknown>[], side: 'x' | 'y'): number {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const place of places) {
    min = Math.min(min, place[side])
    max = Math.max(max, place[side])
  }
  return max - min
}
