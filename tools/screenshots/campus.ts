/** A small campus with access points of three technologies, and what they measure at any time. */

export type Technology = '5G' | 'WiFi' | 'LiFi'

interface Building {
  name: string
  slug: string
  latitude: number
  longitude: number
  /** Clients at the busiest hour, relative to the other buildings. */
  demand: number
  wifi: readonly string[]
  lifi: readonly string[]
}

const floors = ['ground floor', 'first floor', 'second floor']

const buildings: readonly Building[] = [
  {
    name: 'Great Hall',
    slug: 'hall',
    latitude: 51.45905,
    longitude: -2.60175,
    demand: 1.3,
    wifi: ['stage', 'stalls', 'gallery'],
    lifi: ['lectern', 'foyer'],
  },
  {
    name: 'Library',
    slug: 'library',
    latitude: 51.45845,
    longitude: -2.6034,
    demand: 1.15,
    wifi: floors,
    lifi: ['reading room', 'map room', 'archive'],
  },
  {
    name: 'Physics',
    slug: 'physics',
    latitude: 51.45935,
    longitude: -2.60345,
    demand: 0.8,
    wifi: floors,
    lifi: ['optics lab', 'lecture theatre'],
  },
  {
    name: 'Engineering',
    slug: 'engineering',
    latitude: 51.4577,
    longitude: -2.6022,
    demand: 0.95,
    wifi: floors,
    lifi: ['workshop', 'robotics lab', 'design studio'],
  },
  {
    name: 'Students’ Union',
    slug: 'union',
    latitude: 51.45815,
    longitude: -2.60055,
    demand: 1,
    wifi: ['café', 'bar', 'offices'],
    lifi: ['radio studio', 'gallery'],
  },
]

/** What is wrong with an access point, and since when. */
interface Fault {
  kind: 'saturated' | 'busy' | 'slow backhaul' | 'blocked beam' | 'offline'
  minutesAgo: number
}

const faults: Readonly<Record<string, Fault>> = {
  'hall-wifi-2': { kind: 'saturated', minutesAgo: 34 },
  'library-wifi-1': { kind: 'busy', minutesAgo: 52 },
  'union-5g-1': { kind: 'slow backhaul', minutesAgo: 21 },
  'physics-lifi-1': { kind: 'blocked beam', minutesAgo: 13 },
  'engineering-wifi-3': { kind: 'offline', minutesAgo: 0 },
}

export interface CampusAccessPoint {
  id: string
  name: string
  place: string
  technology: Technology
  latitude: number
  longitude: number
  demand: number
  channel: number
  txPowerDbm: number
  fault: Fault | undefined
}

const radios = {
  '5G': { channels: [78, 78, 41, 41], txPowerDbm: 43 },
  WiFi: { channels: [1, 6, 11, 36, 44], txPowerDbm: 17 },
  LiFi: { channels: [1], txPowerDbm: 40 },
} as const

/** Metres east and north of a position, in degrees. */
const moved = (
  { latitude, longitude }: { latitude: number; longitude: number },
  east: number,
  north: number,
) => ({
  latitude: latitude + north / 111_320,
  longitude: longitude + east / (111_320 * Math.cos((latitude * Math.PI) / 180)),
})

export const accessPoints: readonly CampusAccessPoint[] = buildings.flatMap((building, b) => {
  const make = (technology: Technology, room: string, n: number, count: number): CampusAccessPoint => {
    const id = `${building.slug}-${technology.toLowerCase()}-${n + 1}`
    const { channels, txPowerDbm } = radios[technology]
    const offset = { '5G': [26, 20], WiFi: [-24 + n * 24, 8], LiFi: [-18 + n * 18, -12] }[technology]
    return {
      id,
      name: technology === '5G' ? `${building.name} roof cell` : `${building.name}, ${room}`,
      place: building.name,
      technology,
      ...moved(building, offset[0] as number, offset[1] as number),
      demand: building.demand * (0.75 + 0.35 * hash(`${id} demand`)) * (count > 2 && n === 2 ? 0.6 : 1),
      channel: channels[(b + n) % channels.length] as number,
      txPowerDbm,
      fault: faults[id],
    }
  }
  return [
    make('5G', '', 0, 1),
    ...building.wifi.map((room, n) => make('WiFi', room, n, building.wifi.length)),
    ...building.lifi.map((room, n) => make('LiFi', room, n, building.lifi.length)),
  ]
})

const model = {
  '5G': { clients: 46, mbpsOfClient: 4.6, baseMs: 14, loadOfClient: 1.05, watts: [310, 620] },
  WiFi: { clients: 38, mbpsOfClient: 3.1, baseMs: 8, loadOfClient: 1.35, watts: [7, 14] },
  LiFi: { clients: 9, mbpsOfClient: 21, baseMs: 3, loadOfClient: 4.2, watts: [11, 19] },
} as const

/** The busiest hour of the day, at which pictures are taken whatever the clock says. */
const hourOfPictures = 14.6

/** Part of the clients that are there at an hour of the day: two peaks around noon, few at night. */
function activityAt(hour: number): number {
  const peak = (at: number, width: number) => {
    const hoursAway = Math.abs(((hour - at + 36) % 24) - 12)
    return Math.exp(-((hoursAway / width) ** 2))
  }
  return 0.04 + 0.7 * peak(11, 2.6) + 0.85 * peak(15, 2.8) + 0.25 * peak(19.5, 2)
}

/** What an access point measures. `nowMs` is when the pictures are taken. */
export function measure(accessPoint: CampusAccessPoint, atMs: number, nowMs: number): Record<string, number> {
  const { id, technology, demand, fault } = accessPoint
  const ageS = (nowMs - atMs) / 1000
  const isFaulty = fault !== undefined && ageS <= fault.minutesAgo * 60
  const { clients: most, mbpsOfClient, baseMs, loadOfClient, watts } = model[technology]
  const noise = (name: string, periodS: number) => wave(`${id} ${name}`, atMs / 1000, periodS)
  const activity = activityAt(hourOfPictures - ageS / 3600)
  const isSaturated = isFaulty && fault.kind === 'saturated'
  const isBusy = isFaulty && fault.kind === 'busy'
  const isBlocked = isFaulty && fault.kind === 'blocked beam'
  const crowd = isSaturated ? 1.9 : isBusy ? 1.5 : 1
  const clients = isBlocked
    ? 0
    : Math.max(0, Math.round(most * demand * activity * crowd * (1 + 0.16 * noise('clients', 900))))
  const wanted = clients * loadOfClient * (1 + 0.12 * noise('load', 140)) + 1.5
  const load = isSaturated
    ? Math.min(100, 98 + 1.6 * noise('load', 60))
    : isBusy
      ? 87 + 4 * noise('load', 200)
      : clamp(wanted, 1, 76)
  const queue = (load / 100) ** 6
  const slowMs = isFaulty && fault.kind === 'slow backhaul' ? 62 : 0
  const signal = clamp(0.68 + 0.1 * noise('signal', 1700) - 0.1 * queue, 0, 1)
  const power = watts[0] + (watts[1] - watts[0]) * (load / 100)
  return {
    clients,
    throughput_mbps: round(Math.max(0, clients * mbpsOfClient * (1 + 0.15 * noise('bytes', 80))), 1),
    latency_ms: round(baseMs * (1 + 0.2 * noise('wait', 70)) + slowMs + queue * (isSaturated ? 190 : 34), 1),
    packet_loss_pct: round(
      Math.max(0, queue * (isSaturated ? 7.4 : 1.1) + 0.08 + 0.06 * noise('loss', 90)),
      2,
    ),
    load_pct: round(isBlocked ? 0.5 : load, 1),
    ...(clients > 0 && { signal_quality: round(signal, 3) }),
    power_w: round(power * (1 + 0.01 * noise('power', 50)), 1),
    tx_power_dbm: accessPoint.txPowerDbm,
    channel: accessPoint.channel,
    uptime_s: Math.round(19 * 86_400 + hash(id) * 4e6 - ageS),
    ...(technology === 'LiFi' && { blockage: isBlocked ? 1 : 0 }),
  }
}

/** The configuration that its agent sends. */
export const configurationOf = (accessPoint: CampusAccessPoint): Record<string, unknown> => ({
  name: accessPoint.name,
  place: accessPoint.place,
  technology: accessPoint.technology,
  geolocation: { latitude: accessPoint.latitude, longitude: accessPoint.longitude },
  software_version: hash(`${accessPoint.id} version`) < 0.2 ? '2.3.7' : '2.4.1',
  telemetry_interval_s: 10,
  channel: accessPoint.channel,
  tx_power_dbm: accessPoint.txPowerDbm,
  commands: ['reboot', 'power_off', 'power_on', 'sleep', 'wake', 'set_power', 'set_channel', 'steer_client'],
})

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** From 0 to 1, the same for the same text. */
function hash(text: string): number {
  let state = 2_166_136_261
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619)
  state = Math.imul(state ^ (state >>> 15), 2_246_822_507)
  return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
}

/** From -1 to 1, continuous in time. */
function wave(name: string, s: number, periodS: number): number {
  const phase = hash(name) * 2 * Math.PI
  const turn = (2 * Math.PI * s) / periodS
  const jitter = 2 * hash(`${name} ${Math.floor(s / 10)}`) - 1
  return 0.4 * Math.sin(turn + phase) + 0.3 * Math.sin(2.7 * turn + 2 * phase) + 0.3 * jitter
}

/** Outlines and streets for the map, as GeoJSON. */
export function campusMap(): object {
  const outline = (building: Building, width: number, depth: number) => {
    const corners: [number, number][] = [
      [-width, -depth],
      [width, -depth],
      [width, depth],
      [-width, depth],
      [-width, -depth],
    ]
    const ring = corners.map(([east, north]) => pointOf(moved(building, east, north)))
    return {
      type: 'Feature',
      properties: { name: building.name },
      geometry: { type: 'Polygon', coordinates: [ring] },
    }
  }
  const street = (name: string, points: readonly (readonly [number, number])[]) => ({
    type: 'Feature',
    properties: { name },
    geometry: {
      type: 'LineString',
      coordinates: points.map(([latitude, longitude]) => [longitude, latitude]),
    },
  })
  return {
    type: 'FeatureCollection',
    features: [
      ...buildings.map((building, n) => outline(building, 38 + 4 * (n % 3), 26)),
      street('College Road', [
        [51.457, -2.6048],
        [51.4581, -2.6044],
        [51.46, -2.6047],
      ]),
      street('Park Row', [
        [51.4572, -2.605],
        [51.4571, -2.6],
        [51.4574, -2.5985],
      ]),
      street('University Walk', [
        [51.4571, -2.6012],
        [51.458, -2.6012],
        [51.45835, -2.6025],
        [51.4598, -2.6026],
      ]),
    ],
  }
}

const pointOf = ({ latitude, longitude }: { latitude: number; longitude: number }) => [longitude, latitude]
