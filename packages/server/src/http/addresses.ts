import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whose use a request counts for: its caller, or without a token its address. */
export const callerKey = ({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string =>
  caller && 'id' in caller ? caller.id : addressKey(ip)

/**
 * Rate-limit key of an address: the IPv4 address, or the /64 network of an IPv6 address, which one customer has. A request
 * whose caller has disconnected has no address any more.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return ''
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(unmapped)) return unmapped
  const [head = '', tail] = (unmapped.split('%', 1)[0] ?? '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const given = groups(head).length + groups(tail ?? '').length
  const zeros = tail === undefined ? 0 : 8 - given
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail ?? '')]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
