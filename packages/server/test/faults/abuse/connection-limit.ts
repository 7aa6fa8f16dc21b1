import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const file = path.join(import.meta.dirname, '../../../../../deploy/nftables/manc-limits.nft')

/** The firewall rules that an operator installs in front of the MQTT port, in a table of their own for this port. Needs root. */
export class ConnectionLimit {
  readonly #table = `manc_limits_${process.pid}`

  constructor(mqttUrl: string) {
    const rules = readFileSync(file, 'utf8')
      .replace('mqtt_port = 8883', `mqtt_port = ${new URL(mqttUrl).port}`)
      .replaceAll('table inet manc_limits', `table inet ${this.#table}`)
    try {
      execFileSync('nft', ['-f', '-'], { input: rules })
    } catch (cause) {
      throw new Error('Run as root with the Debian package nftables, or set MANC_ABUSE_FIREWALL=no.', {
        cause,
      })
    }
  }

  /** Connections that were dropped so far. */
  dropped(): number {
    const output = execFileSync('nft', ['-j', 'list', 'counter', 'inet', this.#table, 'dropped'])
    const { nftables } = JSON.parse(output.toString()) as { nftables: { counter?: { packets: number } }[] }
    return nftables.find(({ counter }) => counter)?.counter?.packets ?? 0
  }

  remove(): void {
    execFileSync('nft', ['delete', 'table', 'inet', this.#table])
  }
}
