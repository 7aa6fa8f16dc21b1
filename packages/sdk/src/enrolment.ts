import type { Done, EnrolmentToken, EnrolmentTokenCreate, NewEnrolmentToken } from '@manc/contract'
import type { CallOptions, Transport } from './transport.ts'

/** Tokens with which agents register themselves. */
export class Enrolment {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The token is in the answer, and nowhere else. */
  create(token: EnrolmentTokenCreate = {}, options?: CallOptions): Promise<NewEnrolmentToken> {
    return this.#transport.call('createEnrolmentToken', { body: token }, options)
  }

  list(options?: CallOptions): Promise<EnrolmentToken[]> {
    return this.#transport.call('listEnrolmentTokens', {}, options)
  }

  remove(id: string, options?: CallOptions): Promise<Done> {
    return this.#transport.call('deleteEnrolmentToken', { params: { id } }, options)
  }
}
