import { macPattern } from '../hostapd/link.ts'
import { isObject, type Json, objectOf } from '../json.ts'

/** What is read of a state, at most: an access point may be faulty or hostile. */
const maxRadios = 16
const maxBsss = 128
export const maxStations = 5000

/** Members that the access point does not tell are undefined. */
export interface Radio {
  band?: string | undefined
  channel?: number | undefined
  frequencyMhz?: number | undefined
  widthMhz?: number | undefined
  txPowerDbm?: number | undefined
  noiseDbm?: number | undefined
  temperatureC?: number | undefined
  /** Counters of the channel: the time that the radio was on it, and the part in which the channel was in use. */
  activeMs?: number | undefined
  busyMs?: number | undefined
}

export interface Bss {
  bssid: string
  ssid?: string | undefined
  /** Its place in `radios`. */
  radio?: number | undefined
  /** Of its network. */
  uptimeS?: number | undefined
  /** From stations. */
  rxBytes?: number | undefined
  /** To stations. */
  txBytes?: number | undefined
}

export interface Station {
  /** Lower case, with colons. */
  address: string
  bssid: string
  radio?: number | undefined
  signalDbm?: number | undefined
  /** To the station. */
  rateMbps?: number | undefined
  connectedS?: number | undefined
  rxBytes?: number | undefined
  txBytes?: number | undefined
  txPackets?: number | undefined
  txFailed?: number | undefined
}

export interface State {
  radios: readonly Radio[]
  bsss: readonly Bss[]
  /** Each once: after a move within the access point it may be listed twice. */
  stations: readonly Station[]
  uptimeS?: number | undefined
  cpuLoadPct?: number | undefined
  memoryUsagePct?: number | undefined
  temperatureC?: number | undefined
}

/** The document `state` of the messages `state` and `telemetry`. Undefined if it has neither radios nor interfaces. */
export function parseState(value: unknown): State | undefined {
  const document = objectOf(value)
  if (!Array.isArray(document['radios']) && !Array.isArray(document['interfaces'])) return undefined
  const radios = listOf(document['radios'], maxRadios).map(parseRadio)
  const bsss: Bss[] = []
  const stations = new Map<string, Station>()
  for (const network of listOf(document['interfaces'], maxBsss))
    for (const ssid of listOf(network['ssids'], maxBsss)) {
      // Others are stations of another access point, or of a mesh.
      const { mode } = ssid
      if ((mode !== undefined && mode !== 'ap') || bsss.length >= maxBsss) continue
      const bss = parseBss(ssid, radios, number(network['uptime']))
      bsss.push(bss)
      for (const each of listOf(ssid['associations'], maxStations)) {
        const station = parseStation(each, bss)
        if (!station || stations.size >= maxStations) continue
        const other = stations.get(station.address)
        if (!other || (station.connectedS ?? 0) < (other.connectedS ?? 0))
          stations.set(station.address, station)
      }
    }
  return { radios, bsss, stations: [...stations.values()], ...parseUnit(objectOf(document['unit'])) }
}

/** Older firmware has the counters of the channel beside its number, newer has a survey of each frequency. */
function parseRadio(radio: Json): Radio {
  const frequencyMhz = firstNumber(radio['frequency'])
  const surveys = listOf(radio['survey'], 64)
  const survey: Json = surveys.find(({ frequency }) => frequency === frequencyMhz) ?? surveys[0] ?? {}
  return {
    band: firstText(radio['band']),
    channel: number(radio['channel']),
    frequencyMhz,
    widthMhz: numberIn(radio['channel_width']),
    txPowerDbm: number(radio['tx_power']),
    noiseDbm: dbm(radio['noise'] ?? survey['noise']),
    temperatureC: number(radio['temperature']),
    activeMs: counter(radio['active_ms'] ?? survey['time']),
    busyMs: counter(radio['busy_ms'] ?? survey['busy'] ?? survey['time_busy']),
  }
}

function parseBss(ssid: Json, radios: readonly Radio[], uptimeS: number | undefined): Bss {
  const counters = objectOf(ssid['counters'])
  return {
    bssid: addressOf(ssid['bssid']) ?? '',
    ssid: typeof ssid['ssid'] === 'string' ? ssid['ssid'].slice(0, 64) : undefined,
    radio: radioOf(ssid, radios),
    uptimeS,
    rxBytes: counter(counters['rx_bytes']),
    txBytes: counter(counters['tx_bytes']),
  }
}

/** By its reference `#/radios/1`, or by its frequency. */
function radioOf(ssid: Json, radios: readonly Radio[]): number | undefined {
  const { $ref: reference, ref } = objectOf(ssid['radio'])
  const [, place] = /^#\/radios\/(\d{1,2})$/.exec(textIn(reference ?? ref)) ?? []
  if (place !== undefined && Number(place) < radios.length) return Number(place)
  const frequencyMhz = firstNumber(ssid['frequency'])
  const found = radios.findIndex((radio) => frequencyMhz !== undefined && radio.frequencyMhz === frequencyMhz)
  return found < 0 ? undefined : found
}

/** Rates are in kbit/s. */
function parseStation(association: Json, { bssid, radio }: Bss): Station | undefined {
  const address = addressOf(association['station'])
  if (address === undefined) return undefined
  const kbps = number(objectOf(association['tx_rate'])['bitrate'])
  return {
    address,
    bssid,
    radio,
    signalDbm: dbm(association['rssi']),
    rateMbps: kbps === undefined || kbps < 0 ? undefined : kbps / 1000,
    connectedS: counter(association['connected']),
    rxBytes: counter(association['rx_bytes']),
    txBytes: counter(association['tx_bytes']),
    txPackets: counter(association['tx_packets']),
    txFailed: counter(association['tx_failed']),
  }
}

function parseUnit(unit: Json): Pick<State, 'uptimeS' | 'cpuLoadPct' | 'memoryUsagePct' | 'temperatureC'> {
  const { total, free, cached, buffered } = objectOf(unit['memory'])
  const totalBytes = counter(total)
  const freeBytes = [free, cached, buffered].reduce<number>((sum, each) => sum + (counter(each) ?? 0), 0)
  const temperatures = Array.isArray(unit['temperature']) ? unit['temperature'] : [unit['temperature']]
  return {
    uptimeS: counter(unit['uptime']),
    cpuLoadPct: firstNumber(unit['cpu_load']),
    memoryUsagePct:
      totalBytes !== undefined && totalBytes > 0 && counter(free) !== undefined
        ? Math.max(0, (1 - freeBytes / totalBytes) * 100)
        : undefined,
    // The mean and the maximum.
    temperatureC: number(temperatures[1] ?? temperatures[0]),
  }
}

const listOf = (value: unknown, most: number): Json[] =>
  Array.isArray(value) ? value.slice(0, most).filter(isObject) : []

export const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Not `String` and `Number`: objects of a hostile access point may have members that make them throw. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Some firmware writes it as text. */
const numberIn = (value: unknown): number | undefined =>
  typeof value === 'string' ? number(Number.parseInt(value, 10)) : number(value)

const counter = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined

const firstNumber = (value: unknown): number | undefined => number(Array.isArray(value) ? value[0] : value)

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first.slice(0, 16) : undefined
}

/** Some firmware sends negative numbers as unsigned ones, of 8 or 32 bits. 0 is a value that is not known. */
export function dbm(value: unknown): number | undefined {
  const level = number(value)
  if (level === undefined || level === 0) return undefined
  const signed = level >= 2 ** 31 ? level - 2 ** 32 : level > 127 && level < 256 ? level - 256 : level
  return signed > -150 && signed < 100 ? signed : undefined
}

export const addressOf = (value: unknown): string | undefined =>
  typeof value === 'string' && macPattern.test(value) ? value.toLowerCase() : undefined
