import type { Done, PasswordReset, TokenData, UserCreate, UserRegister, UserUpdate } from '@manc/contract'
import type { Stream } from './stream.ts'
import type { CallOptions, Transport } from './transport.ts'

/** The people who manage and watch the network. */
export class Users {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  me(options?: CallOptions): Promise<TokenData> {
    return this.#transport.call('getMe', {}, options)
  }

  get(username: string, options?: CallOptions): Promise<TokenData> {
    return this.#transport.call('getUser', { params: { username } }, options)
  }

  list(options?: CallOptions): Stream<TokenData> {
    return this.#transport.pages('listUsers', {}, options)
  }

  create(user: UserCreate, options?: CallOptions): Promise<TokenData> {
    return this.#transport.call('createUser', { body: user }, options)
  }

  /** The first administrator, with the setup token out of the controller's log. */
  createFirst(user: UserCreate, setupToken: string, options?: CallOptions): Promise<TokenData> {
    return this.#transport.call('createUserPublic', { body: user, bearer: setupToken }, options)
  }

  signUp(user: UserRegister, options?: CallOptions): Promise<TokenData> {
    return this.#transport.call('signUp', { body: user }, options)
  }

  update(username: string, change: UserUpdate, options?: CallOptions): Promise<TokenData> {
    return this.#transport.call('updateUser', { params: { username }, body: change }, options)
  }

  remove(username: string, options?: CallOptions): Promise<Done> {
    return this.#transport.call('deleteUser', { params: { username } }, options)
  }

  /** Sends an e-mail with a reset token, if there is such an account. */
  recoverPassword(username: string, options?: CallOptions): Promise<Done> {
    return this.#transport.call('recoverPassword', { body: { username } }, options)
  }

  resetPassword(reset: PasswordReset, options?: CallOptions): Promise<Done> {
    return this.#transport.call('resetPassword', { body: reset }, options)
  }
}
