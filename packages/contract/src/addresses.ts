/**
 * The URL of each host of an engine, from a setting with one URL, with several hosts in one URL
 * (`postgres://manc:…@db1:5432,db2:5432/manc`), or with several URLs.
 */
export function addressesOf(setting: string): string[] {
  return setting.split(/,(?=[a-z]+:\/\/)/).flatMap(hostsOf)
}

function hostsOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

/** For messages: the host and the port alone. */
export const hostOf = (address: string): string => new URL(address).host
