import type { CallbackAccepted } from '@manc/contract'
import type { CallOptions, Transport } from './transport.ts'

type Items = Record<string, unknown>[]

/** Results on their way to the clients that wait for them. */
export class Callbacks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  agentData(jobNumber: string, data: unknown[], options?: CallOptions): Promise<CallbackAccepted> {
    return this.#transport.call('postAgentData', { query: { job_number: jobNumber }, body: data }, options)
  }

  agentDetails(jobNumber: string, details: Items, options?: CallOptions): Promise<CallbackAccepted> {
    return this.#transport.call(
      'postAgentDetails',
      { query: { job_number: jobNumber }, body: details },
      options,
    )
  }

  emulator(jobNumber: string, news: Items, options?: CallOptions): Promise<CallbackAccepted> {
    return this.#transport.call('postEmulator', { query: { job_number: jobNumber }, body: news }, options)
  }
}
