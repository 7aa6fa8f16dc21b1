import { textOf } from '../run-tool.ts'
import type { Readings, Source } from '../source.ts'

type Json = Record<string, unknown>

/** Newest first: a modem with several tells of each; the newest is what it is there for. */
const technologies = ['5g', 'lte', 'umts']
/** How often the modem measures by itself, in seconds. */
const refreshS = 10

/** `mmcli -J -L`: the paths of the modems. */
export function parseList(text: string): string[] {
  const list = objectOf(text)['modem-list']
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/** `mmcli -J -m X` and `mmcli -J -m X --signal-get`. What the modem does not know it writes as `--`. */
export function modemReadings(modemText: string, signalText: string): Readings {
  const generic = inside(objectOf(modemText), 'modem', 'generic')
  const signal = inside(objectOf(signalText), 'modem', 'signal')
  const readings: Readings = {}
  const put = (name: string, value: unknown) => {
    const number = typeof value === 'string' ? Number.parseFloat(value) : Number.NaN
    if (Number.isFinite(number)) readings[name] = number
  }
  const inUse = technologies.map((name) => inside(signal, name)).find(hasNumber)
  put('rsrp_dbm', inUse?.['rsrp'])
  put('rsrq_db', inUse?.['rsrq'])
  put('snr_db', inUse?.['snr'])
  put('modem_rssi_dbm', inUse?.['rssi'])
  put('signal_quality_pct', inside(generic, 'signal-quality')['value'])
  const access = generic['access-technologies']
  if (Array.isArray(access) && access.length > 0) readings['access_technology'] = access.join(', ')
  if (typeof generic['state'] === 'string') readings['modem_state'] = generic['state']
  return readings
}

const hasNumber = (values: Json) =>
  Object.values(values).some((value) => typeof value === 'string' && /^-?\d/.test(value))

function inside(value: Json, ...names: string[]): Json {
  let at: unknown = value
  for (const name of names) at = isObject(at) ? at[name] : undefined
  return isObject(at) ? at : {}
}

function objectOf(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const list = async () => parseList((await textOf(['mmcli', '-J', '-L'])) ?? '')

/** The first modem that ModemManager knows. */
export const source: Source = {
  name: 'modem',
  async probe() {
    const [modem] = await list()
    if (modem === undefined) return false
    // Without it the modem tells no more than its signal quality; it may need a right that we do not have.
    await textOf(['mmcli', '-m', modem, `--signal-setup=${refreshS}`])
    return true
  },
  async read() {
    const [modem] = await list()
    if (modem === undefined) throw new Error('The modem is gone. See `mmcli -L`.')
    return modemReadings(
      (await textOf(['mmcli', '-J', '-m', modem])) ?? '',
      (await textOf(['mmcli', '-J', '-m', modem, '--signal-get'])) ?? '',
    )
  },
}
