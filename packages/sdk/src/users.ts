import type { Done, TokenData, UserCreate } from '@manc/contract'
import { UsersMethods } from './generated/methods.ts'
import type { CallOptions } from './transport.ts'

export class Users extends UsersMethods {
  /** Creates the first administrator, with the setup token from the controller's log. */
  createFirst(user: UserCreate, setupToken: string, options?: CallOptions): Promise<TokenData> {
    return this.transport.call('createUserPublic', { body: user, bearer: setupToken }, options)
  }

  /** Sends an e-mail with a reset token, if the account exists. */
  recoverPassword(username: string, options?: CallOptions): Promise<Done> {
    return this.transport.call('recoverPassword', { body: { username } }, options)
  }
}
