export const metresPerDegree = 111_320
/** Access points within this distance of the first one of a site share a plane; sites are too far apart to interfere. */
const siteM = 20_000
const betweenSitesM = 1_000_000

interface Place {
  latitude: number
  longitude: number
}

/** Positions in metres: each site has a plane around its first access point, and planes are placed side by side. */
export function toMetres(places: readonly Place[]): { xs: Float64Array; ys: Float64Array } {
  const xs = new Float64Array(places.length)
  const ys = new Float64Array(places.length)
  const sites: Place[] = []
  places.forEach((place, n) => {
    let site = sites.findIndex((centre) => {
      const { east, north } = offsetOf(place, centre)
      return Math.abs(east) <= siteM && Math.abs(north) <= siteM
    })
    if (site < 0) site = sites.push(place) - 1
    const { east, north } = offsetOf(place, sites[site] as Place)
    xs[n] = site * betweenSitesM + east
    ys[n] = north
  })
  return { xs, ys }
}

/** Equirectangular: exact enough within a site. */
function offsetOf(place: Place, centre: Place): { east: number; north: number } {
  let degrees = place.longitude - centre.longitude
  if (degrees > 180) degrees -= 360
  if (degrees < -180) degrees += 360
  const across = Math.max(0.01, Math.cos((centre.latitude * Math.PI) / 180)) * metresPerDegree
  return { east: degrees * across, north: (place.latitude - centre.latitude) * metresPerDegree }
}
