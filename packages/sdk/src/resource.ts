import type { Transport } from './transport.ts'

/** A group of operations, as `manc.users`. Its subclasses are generated, some with hand-written methods added. */
export class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}
