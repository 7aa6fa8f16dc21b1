import { macPattern } from '../hostapd/link.ts'
import type { Json } from '../json.ts'
import { type Status, statusOf, textOf } from './messages.ts'
import { rejectedParameter } from './rejected-parameter.ts'
import type { Radio, State } from './state.ts'

/** The reference client does not answer `rrm`, other firmware may. */
const confirmWithinMs = 3000

/** What commands need of a connected access point. */
export interface Link {
  /** Resolves with the answer. */
  request(method: string, params: Json, signal: AbortSignal): Promise<Json>
}

export async function reboot(link: Link, signal: AbortSignal): Promise<object> {
  const { text } = accepted('reboot', statusOf(await link.request('reboot', { when: 0 }, signal)))
  return { done: 'reboot', ...(text !== '' && { text }) }
}

/** The id of a configuration is the time of its change in seconds, as the reference controller has it: 32 bits. */
export async function configure(
  link: Link,
  name: string,
  document: Json,
  signal: AbortSignal,
): Promise<object> {
  const uuid = Math.floor(Date.now() / 1000)
  const params = { uuid, when: 0, config: { ...document, uuid } }
  const status = statusOf(await link.request('configure', params, signal))
  const rejected = status.rejected.map(({ parameter, reason }) => ({
    parameter: rejectedParameter(parameter),
    reason: textOf(reason),
  }))
  // 1: applied, with other values for what was rejected.
  const isApplied = status.error === 0 || (status.error === 1 && rejected.length > 0)
  const reasons = rejected.map(({ reason }) => reason).filter((reason) => reason !== '')
  if (!isApplied)
    accepted('configure', { ...status, text: [status.text, ...reasons].filter(Boolean).join('; ') })
  return {
    done: 'configure',
    configuration: name,
    uuid,
    ...(status.text !== '' && { text: status.text }),
    ...(rejected.length > 0 && { rejected }),
  }
}

/** Radio resource management. Undefined: the access point does not confirm it, which is usual. */
export async function rrm(
  link: Link,
  actions: readonly Json[],
  signal: AbortSignal,
): Promise<Status | undefined> {
  const late = AbortSignal.timeout(confirmWithinMs)
  try {
    const answer = await link.request('rrm', { actions }, AbortSignal.any([signal, late]))
    return accepted('rrm', statusOf(answer))
  } catch (error) {
    if (late.aborted && !signal.aborted && error === late.reason) return undefined
    throw error
  }
}

export async function disconnectClient(
  link: Link,
  args: readonly string[],
  signal: AbortSignal,
): Promise<object> {
  const [client = ''] = args
  if (args.length !== 1 || !macPattern.test(client)) throw new Error('Write disconnect_client <client>.')
  const action = { action: 'kick', addr: client.toLowerCase(), ban_time: 0 }
  return done('disconnect_client', {}, await rrm(link, [action], signal))
}

export async function setChannel(
  link: Link,
  state: State,
  args: readonly string[],
  signal: AbortSignal,
): Promise<object> {
  const frequencyMhz = Number(args[0])
  const channel = channelOf(frequencyMhz)
  if (channel === undefined || args.length !== 1)
    throw new Error('Write set_channel <MHz>, for example set_channel 5180.')
  const place = state.radios.findIndex((radio) => bandOf(radio.frequencyMhz ?? 0) === bandOf(frequencyMhz))
  const bssid = bssidAt(state, place)
  if (bssid === undefined)
    throw new Error(
      `The access point has no radio in the band of ${frequencyMhz} MHz. It has: ${frequencies(state)}.`,
    )
  const status = await rrm(link, [{ action: 'channel_switch', bssid, channel }], signal)
  return done('set_channel', { frequency_mhz: frequencyMhz }, status)
}

/** Of all its radios, or of those in one band. */
export async function setPower(
  link: Link,
  state: State,
  args: readonly string[],
  signal: AbortSignal,
): Promise<object> {
  const [text = '', band = ''] = args
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || !/^([256]G)?$/i.test(band) || args.length > 2)
    throw new Error('Write set_power <dBm> [2G|5G|6G], for example set_power 20 5G.')
  const level = Number(text)
  const isWanted = ({ frequencyMhz = 0 }: Radio) =>
    band === '' || `${bandOf(frequencyMhz)}G` === band.toUpperCase()
  const bssids = state.radios.flatMap((radio, n) => (isWanted(radio) ? (bssidAt(state, n) ?? []) : []))
  if (bssids.length === 0)
    throw new Error(`The access point has no such radio that serves clients. It has: ${frequencies(state)}.`)
  const actions = bssids.map((bssid) => ({ action: 'tx_power', bssid, level }))
  return done('set_power', { power_dbm: level, radios: bssids.length }, await rrm(link, actions, signal))
}

/** Its status, if that is 0. The text of the access point is sent as the result of the command. */
function accepted(method: string, status: Status): Status {
  if (status.error === 0) return status
  const text = status.text === '' ? 'it gives no reason' : status.text
  throw new Error(`The access point refuses ${method} with error ${status.error}: ${text}.`)
}

const done = (name: string, more: object, status: Status | undefined) => ({
  done: name,
  ...more,
  text: status ? status.text || 'confirmed' : 'sent; the access point does not confirm this command',
})

/** One of the BSSs of a radio: its settings are those of the radio. */
const bssidAt = ({ bsss }: State, place: number): string | undefined =>
  bsss.find(({ radio, bssid }) => place >= 0 && radio === place && bssid !== '')?.bssid

const frequencies = ({ radios }: State) =>
  radios
    .flatMap(({ frequencyMhz }) => (frequencyMhz === undefined ? [] : [`${frequencyMhz} MHz`]))
    .join(', ') || 'none'

/** In GHz; 0 for others. */
const bandOf = (mhz: number): number =>
  mhz < 2400 ? 0 : mhz < 2500 ? 2 : mhz < 5000 ? 0 : mhz < 5925 ? 5 : 6

/** By GHz: where channel 0 would be, and the last channel, in MHz [IEEE 802.11, Annex E]. */
const bands = new Map<number, [start: number, last: number]>([
  [2, [2407, 2472]],
  [5, [5000, 5900]],
  [6, [5950, 7115]],
])

function channelOf(mhz: number): number | undefined {
  const [start, last] = bands.get(bandOf(mhz)) ?? [0, 0]
  if (mhz === 2484) return 14
  const channel = (mhz - start) / 5
  return start > 0 && mhz <= last && Number.isInteger(channel) && channel > 0 ? channel : undefined
}
