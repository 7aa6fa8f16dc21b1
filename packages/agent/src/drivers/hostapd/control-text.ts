import { type BssStatus, macPattern, type Station, type TransitionAnswer } from './link.ts'

/** `name=value` lines. */
function members(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf('=')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : []
    }),
  )
}

function number(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number.parseFloat(text)
  return Number.isFinite(value) ? value : undefined
}

/** `status`. A process of hostapd may have several BSSs: `name` selects one. */
export function parseStatusText(text: string, name: string): BssStatus {
  const found = members(text.split('\n'))
  const bss = [...found].find(([key, value]) => /^bss\[\d+\]$/.test(key) && value === name)
  const n = bss ? /\d+/.exec(bss[0])?.[0] : '0'
  return {
    bssid: (found.get(`bssid[${n}]`) ?? '').toLowerCase(),
    ssid: found.get(`ssid[${n}]`),
    channel: number(found.get('channel')),
    frequencyMhz: number(found.get('freq')),
  }
}

/** `all_sta`: an address, then lines of `name=value`. Rates are in 100 kbit/s. */
export function parseStationsText(text: string): Station[] {
  const blocks: { address: string; lines: string[] }[] = []
  for (const line of text.split('\n'))
    if (macPattern.test(line)) blocks.push({ address: line.toLowerCase(), lines: [] })
    else blocks.at(-1)?.lines.push(line)
  return blocks.flatMap(({ address, lines }) => {
    const found = members(lines)
    const flags = found.get('flags')
    if (flags !== undefined && !flags.includes('[ASSOC]')) return []
    const rate = number(found.get('tx_rate_info'))
    return [
      {
        address,
        signalDbm: number(found.get('signal')),
        rxBytes: number(found.get('rx_bytes')),
        txBytes: number(found.get('tx_bytes')),
        rateMbps: rate === undefined ? undefined : rate / 10,
        connectedS: number(found.get('connected_time')),
        canTransition: transitionBit(found.get('ext_capab')),
      },
    ]
  })
}

/** Bit 19 of the extended capabilities, which are hexadecimal with the first octet first. */
function transitionBit(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  return ((Number.parseInt(text.slice(4, 6) || '0', 16) >> 3) & 1) === 1
}

/** `show_neighbor`: `BSSID ssid=… nr=…`. */
export function parseOwnReport(text: string, bssid: string): string | undefined {
  const line = text.split('\n').find((each) => each.toLowerCase().startsWith(bssid))
  return /\bnr=([0-9a-f]+)/i.exec(line ?? '')?.[1]
}

/** `BSS-TM-RESP 02:… status_code=0 bss_termination_delay=0 target_bssid=02:…`. Undefined for other events. */
export function parseTransitionEvent(event: string, address: string): TransitionAnswer | undefined {
  const [kind, from, ...rest] = event.split(' ')
  if (kind !== 'BSS-TM-RESP' || from?.toLowerCase() !== address) return undefined
  const found = members(rest)
  return { status: number(found.get('status_code')) ?? 1, target: found.get('target_bssid')?.toLowerCase() }
}

/** A station has joined or left. One that returns is only seen by its handshake. */
export const isMembershipEvent = (event: string): boolean =>
  /^(AP-STA-CONNECTED|AP-STA-DISCONNECTED|EAPOL-4WAY-HS-COMPLETED) /.test(event)
