import {
  createCipheriv,
  createDecipheriv,
  createHash,
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
import type { Metrics } from './metrics.ts'

/** Argon2id with the parameters of OWASP; 10 to 15 ms per hash. */
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One core stays free for other requests during many logins. */
const maxConcurrentHashes = Math.max(1, availableParallelism() - 1)
const hashing = pLimit(maxConcurrentHashes)
/** About one second of work; further logins are refused with a retry time. */
const maxQueuedHashes = 100 * maxConcurrentHashes

/** The queue is shared by the process, so its metrics are too. */
export function defineHashMetrics(metrics: Metrics): void {
  metrics.gauge({
    name: 'manc_password_hashes',
    help: 'Password hashes in this process, by state',
    labels: ['state'],
    read: () => [
      { labels: { state: 'computing' }, value: hashing.activeCount },
      { labels: { state: 'queued' }, value: hashing.pendingCount },
    ],
  })
  metrics.gauge({
    name: 'manc_password_hashes_limit',
    help: 'Queued password hashes beyond which logins are refused with 503',
    read: () => [{ labels: {}, value: maxQueuedHashes }],
  })
}

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

  /** For passwords that a person chose. */
  hashPassword(password: string): Promise<string> {
    return queued(() => hash(password, argon2id))
  }

  /** Without a stored hash a decoy is verified, so that the response time does not reveal whether an account exists. */
  async verifyPassword(
    stored: string | undefined,
    password: string,
    /** Called right before the hash is computed, which may be some time after the call: hashes are queued. */
    before: () => Promise<void> = async () => {},
  ): Promise<boolean> {
    if (stored?.startsWith(generated)) return isSameSecret(stored, this.hashGenerated(password))
    const against = stored ?? (await this.#decoy)
    const isRight = await queued(async () => {
      await before()
      return verify(against, password)
    })
    return isRight && stored !== undefined
  }

  /** For generated secrets with at least 128 bits, which need no slow hash. */
  fingerprint(secret: string): string {
    return createHmac('sha256', this.#hashKey).update(secret).digest('base64url')
  }

  /** The stored form of a generated password. */
  hashGenerated(password: string): string {
    return generated + this.fingerprint(password)
  }

  /** A secret that is derived from its parameters whenever it is needed, instead of being stored. */
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

/** In constant time, whatever the lengths: hashed first, because `timingSafeEqual` needs equal lengths. */
export function isSameSecret(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(left, right)
}

/** 256 random bits, safe in a header, a URL or a shell. */
export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

/** As a KeyObject: with plain bytes every hash would prepare the key again, at seven times the cost. */
function derive(key: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, 'manc', purpose, 32)))
}

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (hashing.pendingCount >= maxQueuedHashes)
    throw new Refused('unavailable', 'Too many logins at once. Try again shortly.', { retryAfterS: 5 })
  return hashing(work)
}
