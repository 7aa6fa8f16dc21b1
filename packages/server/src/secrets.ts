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
import { hash, verify } from '@node-rs/argon2'
import { type HashOwner, HashQueue } from './hash-queue.ts'

/** Argon2id with the parameters of OWASP; 10 to 15 ms per hash. */
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The keys that are derived from one data key. */
interface DerivedKeys {
  id: string
  hash: KeyObject
  seal: KeyObject
  derive: KeyObject
}

/** Passwords, keys and generated secrets at rest. */
export class Secrets {
  readonly #current: DerivedKeys
  /** The current keys first: most secrets are stored under them. */
  readonly #accepted: readonly DerivedKeys[]
  readonly #hashing: HashQueue
  readonly #decoy: Promise<string>

  /** New secrets are stored under `dataKey`. Secrets under the other keys are still accepted. */
  constructor(options: { dataKey: string; otherDataKeys?: readonly string[]; hashing?: HashQueue }) {
    this.#current = derivedKeys(options.dataKey)
    this.#accepted = [this.#current, ...(options.otherDataKeys ?? []).map(derivedKeys)]
    this.#hashing = options.hashing ?? new HashQueue()
    this.#decoy = this.hashPassword(randomBytes(16).toString('hex'), 'decoy')
  }

  /** The id of the key under which new secrets are stored. */
  get keyId(): string {
    return this.#current.id
  }

  /** For passwords that a person chose. `owner` is the caller who sets it. */
  hashPassword(password: string, owner: string): Promise<string> {
    return this.#hashing.run({ kind: 'change', owner }, () => hash(password, argon2id))
  }

  /** Without a stored hash a decoy is verified, so that the response time does not reveal whether an account exists. */
  async verifyPassword(
    stored: string | undefined,
    password: string,
    by: HashOwner,
    /** Called if the hash had to wait in the queue, before it is computed. */
    afterWait?: () => Promise<void>,
  ): Promise<boolean> {
    if (stored?.startsWith(generated))
      return this.#accepted.some((keys) => isSameSecret(stored, hashGenerated(keys, password)))
    const against = stored ?? (await this.#decoy)
    const isRight = await this.#hashing.run(by, () => verify(against, password), afterWait)
    return isRight && stored !== undefined
  }

  /** Takes as long as one of the latest verifications, at no cost. False if there was none yet. */
  waitLikeVerification(): Promise<boolean> {
    return this.#hashing.waitLikeOne()
  }

  /** For generated secrets with at least 128 bits, which need no slow hash. */
  fingerprint(secret: string): string {
    return fingerprint(this.#current, secret)
  }

  /** Under every accepted key, for look-ups of a stored fingerprint. */
  fingerprints(secret: string): string[] {
    return this.#accepted.map((keys) => fingerprint(keys, secret))
  }

  /** The stored form of a generated password. */
  hashGenerated(password: string): string {
    return hashGenerated(this.#current, password)
  }

  /**
   * A secret that is derived from its parameters whenever it is needed, instead of being stored. Under the key with this
   * id, or the current key if that one is not accepted.
   */
  derive(text: string, keyId = this.keyId): string {
    return derive(this.#accepted.find(({ id }) => id === keyId) ?? this.#current, text)
  }

  /** The id of the key under which the secret was derived; undefined if none of the accepted keys fits. */
  keyIdOfDerived(text: string, storedHash: string): string | undefined {
    return this.#accepted.find((keys) => isSameSecret(storedHash, hashGenerated(keys, derive(keys, text))))
      ?.id
  }

  seal(text: string): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#current.seal, nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  unseal(sealed: Buffer): string {
    const found = this.#tryUnseal(sealed)
    if (!found)
      throw new Error(
        'a secret was encrypted with a data key that is not in the settings; "manc-server keys status" counts them',
      )
    return found.text
  }

  /** The id of the key with which the text is encrypted; undefined if none of the accepted keys fits. */
  keyIdOfSealed(sealed: Buffer): string | undefined {
    return this.#tryUnseal(sealed)?.keyId
  }

  /** The ciphertext has no key id. It is authenticated, so only the right key decrypts it. */
  #tryUnseal(sealed: Buffer): { text: string; keyId: string } | undefined {
    for (const { id: keyId, seal } of this.#accepted)
      try {
        const decipher = createDecipheriv('aes-256-gcm', seal, sealed.subarray(0, 12), { authTagLength: 16 })
        decipher.setAuthTag(sealed.subarray(12, 28))
        const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
        return { text: text.toString('utf8'), keyId }
      } catch {
        // Another key, or damaged.
      }
    return undefined
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

/** The stored form of a generated secret that does not depend on a key: 256 random bits cannot be guessed. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Names a key in tokens and in the output of `manc-server keys`, without revealing it. */
export const keyIdOf = (key: string): string => expand(key, 'key id', 4).toString('hex')

const derivedKeys = (dataKey: string): DerivedKeys => ({
  id: keyIdOf(dataKey),
  hash: derivedKey(dataKey, 'fingerprints of generated secrets'),
  seal: derivedKey(dataKey, 'sealed API keys'),
  derive: derivedKey(dataKey, 'passwords of emulated agents'),
})

/** As a KeyObject: with plain bytes every hash would prepare the key again, at seven times the cost. */
const derivedKey = (key: string, purpose: string): KeyObject => createSecretKey(expand(key, purpose, 32))

const expand = (key: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, 'manc', purpose, bytes))

const fingerprint = (keys: DerivedKeys, secret: string): string =>
  createHmac('sha256', keys.hash).update(secret).digest('base64url')

const hashGenerated = (keys: DerivedKeys, password: string): string => generated + fingerprint(keys, password)

const derive = (keys: DerivedKeys, text: string): string =>
  createHmac('sha256', keys.derive).update(text).digest('base64url')
