/** A plug-in: the number of TCP connections of this machine. List this file, or its folder, in `plugins`. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

const files = ['/proc/net/tcp', '/proc/net/tcp6']

/** @type {import('@manc/agent/source').Source} */
export const source = {
  name: 'connections',
  probe: async () => files.some((file) => existsSync(file)),
  async read() {
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
    // After a heading, one line per connection; state 01 is ESTABLISHED.
    const lines = texts.flatMap((text) => text.split('\n').slice(1))
    return { tcp_connections: lines.filter((line) => line.trim().split(/\s+/)[3] === '01').length }
  },
}
