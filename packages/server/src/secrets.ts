import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { Refused } from './errors.ts'

/** Argon2id as OWASP recommends it; 10 to 15 ms a hash. */
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One core stays free for everything else: a storm of logins must not starve reads. */
const atOnce = Math.max(1, availableParallelism() - 1)
const hashing = pLimit(atOnce)
/** About a second of work; whoever would wait longer is told to come back. */
const longestQueue = 100 * atOnce

/** Passwords, keys and generated secrets at rest. */
export class Secrets {
  readonly #hashKey: KeyObject
  readonly #sealKey: KeyObject
  readonly #deriveKey: KeyObject
  readonly #decoy = this.hashPassword(randomBytes(16).toString('hex'))

  constructor(options: { dataKey: string }) {
    this.#hashKey = derive(options.dataKey, 'fingerprints of generated secrets')
    this.#sealKey = derive(options.dataKey, 'sealed API keys')
    this.#deriveKey = derive(options.dataKey, 'passwords of emulated agents')
  }

  /** For what a person chose. */
  hashPassword(password: string): Promise<string> {
    return inTurn(() => hash(password, argon2id))
  }

  /** Without a stored hash the same work is done against a decoy, so that time does not tell who exists. */
  async verifyPassword(
    stored: string | undefined,
    password: string,
    /** Asked when its turn has come, which may be a while after it was asked for. */
    before: () => Promise<void> = async () => {},
  ): Promise<boolean> {
    if (stored?.startsWith(generated)) return isSame(stored, this.hashGenerated(password))
    const against = stored ?? (await this.#decoy)
    const right = await inTurn(async () => {
      await before()
      return verify(against, password)
    })
    return right && stored !== undefined
  }

  /** For what we generated ourselves, with at least 128 bits: those need no slow hash. */
  fingerprint(secret: string): string {
    return createHmac('sha256', this.#hashKey).update(secret).digest('base64url')
  }

  /** The stored form of a password that was generated here. */
  hashGenerated(password: string): string {
    return generated + this.fingerprint(password)
  }

  /** A secret that is made again from what is known of it, instead of being kept. */
  derive(text: string): string {
    return createHmac('sha256', this.#deriveKey).update(text).digest('base64url')
  }

  seal(text: string): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  unseal(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  }
}

const generated = 'generated:'

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** 256 random bits, fit for a header, a link or a shell. */
export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

/** As a key that is made ready once: from plain bytes that would be done for every hash, at seven times the cost. */
function derive(key: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, 'manc', purpose, 32)))
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (hashing.pendingCount >= longestQueue)
    throw new Refused('unavailable', 'Too many logins at once. Try again shortly.', { retryAfterS: 5 })
  return hashing(work)
}
