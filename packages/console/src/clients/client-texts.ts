import type { AttachmentEnd, Client } from '@manc/sdk'
import { formatCount, formatNumber, formatWithUnit } from '../format/number.ts'
import { isHandover, type Move, type Visit } from './client-path.ts'

/** Why an attachment ended, in a few words. */
const endTexts: Partial<Record<string, string>> = {
  left: 'left',
  moved: 'moved',
  dropped: 'connection lost',
  missing: 'no longer listed',
  offline: 'access point offline',
  silent: 'access point silent',
  agent_removed: 'access point removed',
} satisfies Record<AttachmentEnd, string>

/** The same as a sentence. */
const endExplanations: Partial<Record<string, string>> = {
  left: 'It went away.',
  moved: 'It moved to another access point.',
  dropped: 'The connection was lost.',
  missing: 'The access point stopped listing it.',
  offline: 'The access point went offline.',
  silent: 'The access point has reported no clients for 90 s.',
  agent_removed: 'The access point was removed.',
} satisfies Record<AttachmentEnd, string>

/** Reasons of later versions are shown as they are. */
export const endText = (ended: AttachmentEnd): string => endTexts[ended] ?? ended

export const endExplanation = (ended: AttachmentEnd): string => endExplanations[ended] ?? ''

/** `attached`, or why it is not. */
export const stateText = ({ ended }: Pick<Client, 'ended'>): string =>
  ended === null ? 'attached' : endText(ended)

type Link = Pick<Client, 'signal_dbm' | 'snr_db' | 'rate_mbps'>

/** `-61 dBm`, or `24.5 dB SNR` where there is only that; undefined without a value. */
export function signalText({ signal_dbm: dbm, snr_db: snr }: Link): string | undefined {
  if (dbm !== null) return `${formatNumber(dbm)} dBm`
  return snr === null ? undefined : `${formatNumber(snr, 1)} dB SNR`
}

/** `433 Mbit/s`; undefined without a value. */
export const rateText = ({ rate_mbps: rate }: Link): string | undefined =>
  rate === null ? undefined : formatWithUnit(rate, 'Mbit/s')

/** `4 attachments, 2 handovers, 1 move within a technology, 1 lost connection` */
export function pathText(visits: readonly Visit[], moves: readonly Move[]): string {
  const roamed = moves.filter(({ from, to }) => from?.technology === to.technology).length
  const dropped = visits.filter(({ ended }) => ended === 'dropped').length
  return [
    formatCount(visits.length, 'attachment'),
    formatCount(moves.filter(isHandover).length, 'handover'),
    ...(roamed > 0 ? [formatCount(roamed, 'move within a technology', 'moves within a technology')] : []),
    ...(dropped > 0 ? [formatCount(dropped, 'lost connection')] : []),
  ].join(', ')
}

const order = ['LiFi', 'WiFi', '5G']

/** Access points that a client hears, by technology and the strongest first. Signals of LiFi are positive, in dB. */
export function heardRows(
  heard: Readonly<Record<string, number>>,
  technologyOf: (apId: string) => string | undefined,
): { apId: string; text: string }[] {
  const rank = (apId: string) => order.indexOf(technologyOf(apId) ?? '')
  return Object.entries(heard)
    .toSorted(([a, signalOfA], [b, signalOfB]) => rank(a) - rank(b) || signalOfB - signalOfA)
    .map(([apId, signal]) => {
      const isLight = technologyOf(apId) === 'LiFi' || (technologyOf(apId) === undefined && signal > 0)
      return { apId, text: isLight ? `${formatNumber(signal, 1)} dB SNR` : `${formatNumber(signal)} dBm` }
    })
}
