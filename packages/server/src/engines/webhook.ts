import { BlockList, isIP } from 'node:net'

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
