import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pickNumbers } from '../engines/ports.ts'
import { LabError } from './lab-error.ts'
import { startOwned } from './owned-process.ts'
import { run, searchPath } from './run.ts'
import { type WifiImage, wifiImage } from './wifi-image.ts'

/** On a busy machine it takes a minute. */
const bootTimeoutMs = 240_000
const commandTimeoutMs = 60_000
const keptLines = 40
const host = 'wifi-guest'
const sharedHost = `${host}-shared`

export type AccessPointName = 'ap1' | 'ap2'

/**
 * A virtual machine with two access points (`hostapd`) and two stations (`wpa_supplicant`) on simulated radios (`mac80211_hwsim`).
 * It is reached over ssh, like an access point with OpenWrt, and has no other network. Without hardware virtualization.
 */
export class WifiGuest {
  readonly process: ChildProcess
  readonly #folder: string
  readonly #lines: string[] = []

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder
    this.process = child
  }

  /**
   * Resolves when both stations are connected. Makes the image of the guest if there is none. `started` gets the process, for a
   * caller that may have to end it before.
   */
  static async start(
    log: (line: string) => void,
    started: (child: ChildProcess) => void = () => {},
  ): Promise<WifiGuest> {
    const image = await wifiImage(log)
    // A short path: that of a socket has at most 108 characters.
    const folder = mkdtempSync(path.join(tmpdir(), 'manc-wifi-'))
    const key = path.join(folder, 'key')
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'lab', '-f', key])
    const [, publicKey = ''] = readFileSync(`${key}.pub`, 'utf8').split(' ')
    const [port = 0] = await pickNumbers(1)
    log('booting the WiFi guest (half a minute)')
    const guest = new WifiGuest(folder, boot(image, port, publicKey))
    started(guest.process)
    try {
      await guest.#untilReady(port)
      // It opens the connection that later ones share.
      await guest.run('true')
      return guest
    } catch (error) {
      await guest.stop()
      throw error
    }
  }

  /** Of ssh to the guest. */
  get sshArguments(): string[] {
    return ['-F', this.#configFile, host]
  }

  /** Of the driver hostapd, as in docs/devices.md. Without `iw`: the simulated radios have no load and no noise. */
  deviceOf(name: AccessPointName): object {
    const cli = ['hostapd_cli', '-p', '/run/hostapd', '-i', name]
    return {
      driver: 'hostapd',
      interface: name,
      cli: ['/usr/bin/ssh', '-T', ...this.sshArguments, ...cli],
    }
  }

  /** What a command prints that runs in the guest. All share a connection: an emulated processor takes long to make one. */
  async run(command: string): Promise<string> {
    const attempt = () =>
      run('ssh', ['-T', '-F', this.#configFile, sharedHost, command], { timeoutMs: commandTimeoutMs })
    try {
      return await attempt()
    } catch (error) {
      // That of ssh itself: the connection was lost.
      if (!(error as Error).message.includes('exit code 255')) throw error
      return attempt()
    }
  }

  /** Whether stations and this access point hear each other. */
  async setCoverage(name: AccessPointName, isCovered: boolean): Promise<void> {
    await this.run(`coverage ${name} ${isCovered ? 'on' : 'off'}`)
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit')
      this.process.kill('SIGKILL')
      await ended
    }
    this.removeFiles()
  }

  /** After its process has ended. */
  removeFiles(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #configFile(): string {
    return path.join(this.#folder, 'ssh_config')
  }

  async #untilReady(port: number): Promise<void> {
    const { stdout, stderr } = this.process
    if (!stdout || !stderr) throw new LabError('QEMU has no output.')
    stderr.setEncoding('utf8').on('data', (text: string) => this.#keep(text))
    await new Promise<void>((resolve, reject) => {
      const fail = (what: string) => {
        reject(new LabError(`The WiFi guest ${what}. Its last lines:\n${this.#lines.join('\n')}`))
      }
      const timer = setTimeout(() => fail(`is not ready after ${bootTimeoutMs / 1000} s`), bootTimeoutMs)
      createInterface({ input: stdout }).on('line', (line) => {
        this.#keep(line)
        const key = /^LAB host key (\S+)/.exec(line)?.[1]
        if (key !== undefined) this.#writeSshFiles(port, key)
        if (line.startsWith('LAB ready')) {
          clearTimeout(timer)
          resolve()
        }
      })
      this.process.once('error', (error) => fail(`cannot be started: ${error.message}`))
      this.process.once('exit', () => {
        clearTimeout(timer)
        fail('has ended')
      })
    })
  }

  #keep(line: string): void {
    this.#lines.push(line.trimEnd().slice(0, 1000))
    if (this.#lines.length > keptLines) this.#lines.shift()
  }

  /** The console of the guest says which key it has, so that its host key is verified from the first connection on. */
  #writeSshFiles(port: number, hostKey: string): void {
    const at = (name: string) => path.join(this.#folder, name)
    writeFileSync(at('known_hosts'), `[127.0.0.1]:${port} ssh-ed25519 ${hostKey}\n`)
    const lines = [
      `Host ${host} ${sharedHost}`,
      'HostName 127.0.0.1',
      `Port ${port}`,
      'User root',
      `IdentityFile ${at('key')}`,
      'IdentitiesOnly yes',
      `UserKnownHostsFile ${at('known_hosts')}`,
      'GlobalKnownHostsFile /dev/null',
      'StrictHostKeyChecking yes',
      'BatchMode yes',
      `Host ${sharedHost}`,
      'ControlMaster auto',
      `ControlPath ${at('ssh-%C')}`,
      'ControlPersist 60',
    ]
    writeFileSync(this.#configFile, `${lines.join('\n')}\n`)
  }
}

/** Time follows the instructions of the guest (icount): on a busy machine its timers do not expire early. */
const machine =
  '-accel tcg,thread=single,tb-size=64 -icount shift=1,sleep=on -cpu max -smp 1 -m 256 -nodefaults -display none ' +
  '-serial stdio -no-reboot -device virtio-net-pci,netdev=net,romfile='

function boot({ kernel, initramfs }: WifiImage, port: number, publicKey: string): ChildProcess {
  const commandLine = [
    'console=ttyS0 quiet panic=-1 mitigations=off nokaslr cryptomgr.notests',
    `manc_key=${publicKey}`,
  ].join(' ')
  const qemu: [string, ...string[]] = [
    'qemu-system-x86_64',
    ...machine.split(' '),
    '-kernel',
    kernel,
    '-initrd',
    initramfs,
    '-append',
    commandLine,
    // restrict: the guest reaches neither this machine nor any network.
    '-netdev',
    `user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:${port}-:22`,
  ]
  return startOwned(qemu, { env: { PATH: searchPath }, stdio: ['ignore', 'pipe', 'pipe'] })
}
