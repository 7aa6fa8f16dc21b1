import { LRUCache } from 'lru-cache'
import type { Caller } from '../../access.ts'
import type { Secrets } from '../../secrets.ts'
import type { TokenService } from './tokens.service.ts'

interface AppCredentials {
  name: string
  secret: string
  /** Of the request. */
  address: string
}

const maxVerified = 1000
/** Comparisons of unknown keys with the cache, by app and address. They bypass the throttle, so guessing must stay slow. */
const maxMisses = 20
const missesWithinMs = 60_000

/**
 * Identifies apps that send their name and key with every request. The first request from an address logs in, with all
 * checks of a login; the token of that login stands for the same credentials until it expires or is revoked.
 */
export class AppCredentialsService {
  readonly #tokens: TokenService
  readonly #secrets: Secrets
  /** Access tokens by the fingerprint of the credentials, which are not kept. */
  readonly #verified = new LRUCache<string, string>({ max: maxVerified })
  /** By app and address. A login with the right key deletes them. */
  readonly #misses = new LRUCache<string, number>({ max: 20_000, ttl: missesWithinMs })
  /** So that the panels of a dashboard, which query at the same time, log in once. */
  readonly #loggingIn = new Map<string, Promise<string>>()

  constructor(deps: { tokens: TokenService; secrets: Secrets }) {
    this.#tokens = deps.tokens
    this.#secrets = deps.secrets
  }

  /** The app, if this replica has verified the credentials from this address. */
  known(credentials: AppCredentials): Caller | undefined {
    const token = this.#tokenOf(credentials)
    return token === undefined ? undefined : this.#tokens.known(token)
  }

  /** Throws the refusal of the login. */
  async verify(credentials: AppCredentials): Promise<Caller> {
    const token = this.#tokenOf(credentials)
    if (token !== undefined && (await this.#tokens.isLive(token))) return this.#tokens.identify(token)
    return this.#tokens.identify(await this.#logIn(credentials))
  }

  #tokenOf(credentials: AppCredentials): string | undefined {
    const owner = this.#ownerOf(credentials)
    const misses = this.#misses.get(owner) ?? 0
    if (misses >= maxMisses) return undefined
    const token = this.#verified.get(this.#fingerprint(credentials))
    if (token === undefined) this.#misses.set(owner, misses + 1, { noUpdateTTL: true })
    return token
  }

  #logIn(credentials: AppCredentials): Promise<string> {
    const fingerprint = this.#fingerprint(credentials)
    const current = this.#loggingIn.get(fingerprint)
    if (current) return current
    const { name, secret, address } = credentials
    const started = this.#tokens
      .logIn('third_party_app', name, secret, address)
      .then(({ access_token: token }) => {
        this.#verified.set(fingerprint, token)
        this.#misses.delete(this.#ownerOf(credentials))
        return token
      })
      .finally(() => this.#loggingIn.delete(fingerprint))
    this.#loggingIn.set(fingerprint, started)
    return started
  }

  /** A guess from another address is never compared with the cache. Addresses and lengths contain no space. */
  #fingerprint({ name, secret, address }: AppCredentials): string {
    return this.#secrets.fingerprint(`${address} ${name.length} ${name} ${secret}`)
  }

  #ownerOf({ name, address }: AppCredentials): string {
    return this.#secrets.fingerprint(`${address} ${name}`)
  }
}
