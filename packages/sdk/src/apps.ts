import type { Done, ListedApp, ThirdPartyApp, ThirdPartyAppCreate, ThirdPartyAppUpdate } from '@manc/contract'
import type { Stream } from './stream.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Third-party applications. */
export class Apps {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  register(app: ThirdPartyAppCreate, options?: CallOptions): Promise<ThirdPartyApp> {
    return this.#transport.call('createApp', { body: app }, options)
  }

  /** All of them, without their keys. */
  list(options?: CallOptions): Stream<ListedApp> {
    return this.#transport.pages('listApps', {}, options)
  }

  get(appName: string, options?: CallOptions): Promise<ThirdPartyApp> {
    return this.#transport.call('getApp', { params: { app_name: appName } }, options)
  }

  update(appName: string, change: ThirdPartyAppUpdate, options?: CallOptions): Promise<ThirdPartyApp> {
    return this.#transport.call('updateApp', { params: { app_name: appName }, body: change }, options)
  }

  remove(appName: string, options?: CallOptions): Promise<Done> {
    return this.#transport.call('deleteApp', { params: { app_name: appName } }, options)
  }
}
