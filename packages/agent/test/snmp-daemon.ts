import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { closedPort } from '@manc/harness'
import { vi } from 'vitest'

export const community = 'a-community'
export const user = { name: 'manc', auth: 'an-authentication', priv: 'a-privacy-password' }

const location = '1.3.6.1.2.1.1.6.0'

/** `snmpd` of Debian with a community and a user of version 3. */
export class SnmpDaemon {
  readonly port: number
  readonly #folder: string
  #process: ChildProcess | undefined

  private constructor(port: number, folder: string) {
    this.port = port
    this.#folder = folder
  }

  static async start(): Promise<SnmpDaemon> {
    const folder = mkdtempSync(path.join(tmpdir(), 'manc-snmpd-'))
    // It writes a file of the same name there.
    mkdirSync(path.join(folder, 'state'))
    const lines = [
      `rwcommunity ${community} 127.0.0.1`,
      `createUser ${user.name} SHA ${user.auth} AES ${user.priv}`,
      `rwuser ${user.name} priv`,
      'sysName device-1',
    ]
    writeFileSync(path.join(folder, 'snmpd.conf'), `${lines.join('\n')}\n`)
    const daemon = new SnmpDaemon(await closedPort(), folder)
    try {
      await daemon.run()
      return daemon
    } catch (error) {
      await daemon.stop()
      throw error
    }
  }

  /** Resolves when it answers. */
  async run(): Promise<void> {
    const configuration = path.join(this.#folder, 'snmpd.conf')
    const args = [
      '-f',
      '-Lf',
      '/dev/null',
      '-C',
      '-c',
      configuration,
      '-I',
      '-smux',
      `udp:127.0.0.1:${this.port}`,
    ]
    this.#process = spawn('/usr/sbin/snmpd', args, {
      env: { PATH: process.env['PATH'] ?? '', SNMP_PERSISTENT_DIR: path.join(this.#folder, 'state') },
      stdio: 'ignore',
    })
    await vi.waitFor(() => this.get(location), { timeout: 60_000, interval: 200 })
  }

  async end(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  async stop(): Promise<void> {
    await this.end()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** What `snmpget` prints. */
  async get(oid: string): Promise<string> {
    const args = ['-v2c', '-c', community, '-t', '2', '-r', '3', '-Oqvt', `127.0.0.1:${this.port}`, oid]
    const { stdout } = await promisify(execFile)('snmpget', args)
    return stdout.trim().replace(/^"(.*)"$/, '$1')
  }
}
