import { lookup as resolve } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const timeoutMs = 10_000
const maxResponseBytes = 4096

/** Networks that no public server is in [RFC 6890, RFC 8190], and transition networks that contain their addresses. */
const private4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])
/** Only 2000::/3 is assigned for public use. */
const public6 = blockList('ipv6', [['2000::', 3]])
const private6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

function blockList(family: 'ipv4' | 'ipv6', networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}

/** Also true for a text that is no address. */
function isPrivateAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return private4.check(address)
    case 6:
      return !public6.check(address, 'ipv6') || private6.check(address, 'ipv6')
    default:
      return true
  }
}

/** Whether the host of a URL is a private address. Names are resolved when a connection is opened. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && isPrivateAddress(address)
}

/** The target is at an address to which nothing is sent. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

const refused = (hostname: string) =>
  new PrivateAddress(
    `${hostname} is a private address. Set MANC_WEBHOOK_PRIVATE=true to allow it, or use another URL.`,
  )

/**
 * Resolves a name once, and refuses it if one of its addresses is private. The connection is opened to the addresses that
 * were checked: another answer of the name server later changes nothing.
 */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    const [first] = found ?? []
    if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '')
    if (found.some(({ address }) => isPrivateAddress(address))) return callback(refused(hostname), '')
    if (options.all) return callback(null, found)
    callback(null, first.address, first.family)
  })
}

/** Posts to URLs that callers have chosen. */
export class Webhooks {
  readonly #mayBePrivate: boolean

  constructor(options: { mayBePrivate: boolean }) {
    this.#mayBePrivate = options.mayBePrivate
  }

  get mayBePrivate(): boolean {
    return this.#mayBePrivate
  }

  /** The status of the response. Redirects are not followed. Each request has its own connection. */
  post(target: string, headers: Record<string, string>, body: string): Promise<number> {
    const url = new URL(target)
    if (!this.#mayBePrivate && isPrivateHost(url.hostname)) return Promise.reject(refused(url.hostname))
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((done, fail) => {
      const request = send(url, {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(!this.#mayBePrivate && { lookup: publicLookup }),
      })
      let status: number | undefined
      // A response that does not end is a response: its status was read.
      const end = (error?: Error) => {
        if (status === undefined) fail(error ?? new Error('the connection was closed without a response'))
        else done(status)
        request.destroy()
      }
      request.on('error', end)
      // The only event after a response that changes the protocol (101), or none at all.
      request.on('close', () => end())
      request.on('response', (response) => {
        status = response.statusCode
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > maxResponseBytes) end()
        })
        response.on('end', () => end())
        response.on('error', end)
      })
      request.end(body)
    })
  }
}
