import type { Server } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { Limits } from '../limits.ts'
import { addressKey } from './addresses.ts'

interface Options {
  maxPerAddress: number
  /** As in `MANC_TRUSTED_PROXIES`: their connections carry the requests of many addresses. */
  trustedProxies: readonly string[]
  limits: Limits
}

/** Limits the open connections from one address. */
export function limitConnections(server: Server, { maxPerAddress, trustedProxies, limits }: Options): void {
  const counts = new Map<string, number>()
  const isTrusted = matcher(trustedProxies)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (isTrusted(address)) return
    const key = addressKey(address)
    const count = (counts.get(key) ?? 0) + 1
    if (count > maxPerAddress) {
      limits.count('MANC_CONNECTIONS_PER_ADDRESS')
      refuse(socket)
      return
    }
    counts.set(key, count)
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    })
  })
}

/** The caller may be a browser or an SDK, which understand HTTP. */
function refuse(socket: Socket): void {
  const body = JSON.stringify({ detail: 'Too many connections from this address. Close some of them first.' })
  socket.end(
    `HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/** The names that Fastify accepts for networks. */
const networks: Record<string, readonly string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

function matcher(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries.flatMap((each) => networks[each] ?? [each])) {
    const [network = '', prefix] = entry.split('/')
    const family = familyOf(network)
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return (address) => isIP(address) > 0 && list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
