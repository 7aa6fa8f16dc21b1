import { textOf } from '../../../run-tool.ts'
import type { Readings, Source } from '../source.ts'

type Json = Record<string, unknown>

/** Newest first: a modem reports the signal of each technology, and the newest one is used. */
const technologies = ['5g', 'lte', 'umts']
/** How often the modem refreshes its signal values, in seconds. */
const refreshS = 10

/** `mmcli -J -L`: the paths of the modems. */
export function parseList(text: string): string[] {
  const list = objectOf(text)['modem-list']
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/** `mmcli -J -m X` and `mmcli -J -m X --signal-get`. Unknown values are printed as `--`. */
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

/** The first modem of ModemManager. */
export const source: Source = {
  name: 'modem',
  async probe() {
    const [modem] = await list()
    if (modem === undefined) return false
    // Without it the modem reports only its signal quality. It may fail for lack of permission.
    await textOf(['mmcli', '-m', modem, `--signal-setup=${refreshS}`])
    return true
  },
  async read() {
    const [modem] = await list()
    if (modem === undefined) throw new Error('The modem is not available. Check `mmcli -L`.')
    return modemReadings(
      (await textOf(['mmcli', '-J', '-m', modem])) ?? '',
      (await textOf(['mmcli', '-J', '-m', modem, '--signal-get'])) ?? '',
    )
  },
}
