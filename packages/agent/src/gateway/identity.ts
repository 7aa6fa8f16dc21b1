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
import { InvalidSettings } from '../settings/invalid-settings.ts'

export interface Identity {
  apId: string
  password: string
  /** The controller has confirmed the registration. */
  isRegistered: boolean
}

/** The agent's id and password, kept across restarts. */
export class IdentityFile {
  readonly #file: string

  constructor(folder: string) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    } catch (error) {
      throw new InvalidSettings(
        `state_folder cannot be used: ${(error as Error).message}. Write a folder that this program may write to.`,
      )
    }
    this.#file = path.join(folder, 'identity.json')
  }

  /** Reads the saved identity; creates and saves one if there is none. */
  open(apId: string | undefined): Identity {
    const saved = this.#read()
    // The folder has the only copy of that agent's password, and samples that it has not sent yet.
    if (saved && apId !== undefined && apId !== saved.apId)
      throw new InvalidSettings(
        `state_folder belongs to ${saved.apId}. Use another folder for ${apId}; or delete ${path.dirname(this.#file)}, ` +
          `which also deletes the password of ${saved.apId} and its unsent samples.`,
      )
    if (saved) return saved
    const identity = {
      apId: apId ?? apIdFromMac(),
      password: randomBytes(32).toString('base64url'),
      isRegistered: false,
    }
    this.save(identity)
    return identity
  }

  /** Writes atomically (rename), readable by the owner only. */
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
      throw new InvalidSettings(
        `${this.#file} is damaged. Restore it from a backup; or delete it, and have an administrator delete the agent.`,
      )
    }
  }
}

/** `ap-` and the MAC address of the first physical network card. */
export function apIdFromMac(folder = '/sys/class/net'): string {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  for (const name of names) {
    if (!existsSync(path.join(folder, name, 'device'))) continue
    const mac = readFileSync(path.join(folder, name, 'address'), 'utf8')
      .trim()
      .toLowerCase()
    if (/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && mac !== '00:00:00:00:00:00')
      return `ap-${mac.replaceAll(':', '')}`
  }
  throw new InvalidSettings(
    'ap_id is missing, and there is no network card to derive it from. Write one, for example "wifi-7".',
  )
}
