import type { AttachedClient } from '@manc/sdk/agent'
import { textOf } from '../../../run-tool.ts'
import type { Readings, Source } from '../source.ts'
import {
  parseDev,
  parseStations,
  parseSurvey,
  type Station,
  type Survey,
  type WifiInterface,
} from './iw-text.ts'

export interface Radio {
  wifi: WifiInterface
  stations: readonly Station[]
  survey: Survey | undefined
  surveyBefore: Survey | undefined
}

/**
 * The clients of all radios, their mean signal and the mean load of their channels, and the configuration of each radio. With
 * more than one radio the latter names have the interface as a prefix. For an interface in client mode, `rssi_dbm` is the
 * signal of its access point.
 */
export function radioReadings(radios: readonly Radio[]): Readings {
  const readings: Readings = {}
  const serving = radios.filter(({ wifi }) => wifi.type === 'AP')
  if (serving.length > 0)
    readings['clients'] = serving.reduce((sum, { stations }) => sum + stations.length, 0)
  const received = (serving.length > 0 ? serving : radios).flatMap(({ stations }) => stations)
  put(readings, 'rssi_dbm', mean(received.map(({ signalDbm }) => signalDbm)))
  put(readings, 'load_pct', mean(serving.map(utilisationPct)))
  for (const radio of radios) {
    const { wifi, stations, survey } = radio
    const prefix = radios.length > 1 ? `${wifi.name}_` : ''
    if (prefix !== '') {
      if (wifi.type === 'AP') readings[`${prefix}clients`] = stations.length
      put(readings, `${prefix}rssi_dbm`, mean(stations.map(({ signalDbm }) => signalDbm)))
    }
    put(readings, `${prefix}channel`, wifi.channel)
    put(readings, `${prefix}frequency_mhz`, wifi.frequencyMhz)
    put(readings, `${prefix}channel_width_mhz`, wifi.widthMhz)
    put(readings, `${prefix}tx_power_dbm`, wifi.txPowerDbm)
    put(readings, `${prefix}phy_rate_mbps`, mean(stations.map(({ txRateMbps }) => txRateMbps)))
    put(readings, `${prefix}noise_dbm`, survey?.noiseDbm)
    put(readings, `${prefix}channel_utilisation_pct`, utilisationPct(radio))
    if (wifi.ssid !== undefined) readings[`${prefix}ssid`] = wifi.ssid
  }
  return readings
}

/** Since the previous reading. Drivers count from when the channel was set, so a smaller counter starts from zero. */
function utilisationPct({ survey, surveyBefore }: Radio): number | undefined {
  if (survey?.activeMs === undefined || survey.busyMs === undefined) return undefined
  const isContinued = surveyBefore?.activeMs !== undefined && surveyBefore.activeMs < survey.activeMs
  const active = survey.activeMs - (isContinued ? (surveyBefore.activeMs ?? 0) : 0)
  const busy = survey.busyMs - (isContinued ? (surveyBefore.busyMs ?? 0) : 0)
  if (active <= 0) return undefined
  return Math.round(Math.min(1, Math.max(0, busy / active)) * 1000) / 10
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  if (known.length === 0) return undefined
  return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 10) / 10
}

function put(readings: Readings, name: string, value: number | undefined): void {
  if (value !== undefined) readings[name] = value
}

const surveys = new Map<string, Survey>()

async function interfaces(): Promise<WifiInterface[]> {
  const text = await textOf(['iw', 'dev'])
  return text === undefined ? [] : parseDev(text)
}

async function readRadio(wifi: WifiInterface): Promise<Radio> {
  const stations = parseStations((await textOf(['iw', 'dev', wifi.name, 'station', 'dump'])) ?? '')
  const survey = parseSurvey((await textOf(['iw', 'dev', wifi.name, 'survey', 'dump'])) ?? '')
  const surveyBefore = surveys.get(wifi.name)
  if (survey) surveys.set(wifi.name, survey)
  return { wifi, stations, survey, surveyBefore }
}

/** Stations of the radios that serve clients; undefined if there is no such radio. */
export function attachedClients(radios: readonly Radio[], nowMs: number): AttachedClient[] | undefined {
  const serving = radios.filter(({ wifi }) => wifi.type === 'AP')
  if (serving.length === 0) return undefined
  return serving
    .flatMap(({ stations }) => stations)
    .map(({ address, connectedS, signalDbm, txRateMbps }) => ({
      client: address,
      ...(connectedS !== undefined && { since: new Date(nowMs - connectedS * 1000).toISOString() }),
      ...(signalDbm !== undefined && { signal_dbm: signalDbm }),
      ...(txRateMbps !== undefined && { rate_mbps: txRateMbps }),
    }))
}

let clients: AttachedClient[] | undefined

/** The radios that `iw` lists. */
export const source: Source = {
  name: 'wifi',
  probe: async () => (await interfaces()).length > 0,
  read: async () => {
    const radios = await Promise.all((await interfaces()).map(readRadio))
    clients = attachedClients(radios, Date.now())
    return radioReadings(radios)
  },
  clients: () => clients,
}
