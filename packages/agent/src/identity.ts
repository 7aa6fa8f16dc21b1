import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { WrongSettings } from './settings.ts'

export interface Identity {
  apId: string
  password: string
  /** The controller is known to have it. */
  isRegistered: boolean
}

/** Who this device is, kept across restarts. */
export class IdentityFile {
  readonly #file: string

  constructor(folder: string) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    } catch (error) {
      throw new WrongSettings(
        `state_folder cannot be used: ${(error as Error).message}. Write a folder that this program may write to.`,
      )
    }
    this.#file = path.join(folder, 'identity.json')
  }

  /** The one from before, or a new one where there is none. It is on disk already. */
  open(apId: string | undefined): Identity {
    const known = this.#read()
    // Its password exists nowhere else, and what waits beside it is its own.
    if (known && apId !== undefined && apId !== known.apId)
      throw new WrongSettings(
        `state_folder belongs to ${known.apId}. Give ${apId} a folder of its own; or delete ${path.dirname(this.#file)}, ` +
          `and with it the password of ${known.apId} and what it has not sent yet.`,
      )
    if (known) return known
    const identity = {
      apId: apId ?? macOfFirstCard(),
      password: randomBytes(32).toString('base64url'),
      isRegistered: false,
    }
    this.save(identity)
    return identity
  }

  /** Whole or not at all, and for nobody else to read. */
  save(identity: Identity): void {
    const draft = `${this.#file}.new`
    const fd = openSync(draft, 'w', 0o600)
    writeFileSync(fd, `${JSON.stringify(identity)}\n`)
    fsyncSync(fd)
    closeSync(fd)
    renameSync(draft, this.#file)
  }

  #read(): Identity | undefined {
    if (!existsSync(this.#file)) return undefined
    try {
      const { apId, password, isRegistered } = JSON.parse(readFileSync(this.#file, 'utf8')) as Identity
      return { apId, password, isRegistered }
    } catch {
      throw new WrongSettings(
        `${this.#file} is damaged. Put it back from a copy; or delete it, and have an administrator delete the agent.`,
      )
    }
  }
}

/** `ap-` and the address of the first network card that has a device behind it. */
export function macOfFirstCard(folder = '/sys/class/net'): string {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  for (const name of names) {
    if (!existsSync(path.join(folder, name, 'device'))) continue
    const mac = readFileSync(path.join(folder, name, 'address'), 'utf8')
      .trim()
      .toLowerCase()
    if (/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && mac !== '00:00:00:00:00:00')
      return `ap-${mac.replaceAll(':', '')}`
  }
  throw new WrongSettings(
    'ap_id is missing, and there is no network card to take it from. Write one, as "wifi-7".',
  )
}
