import type { Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { certificateNameOf } from './devices.ts'
import type { ListenerOptions } from './listener-settings.ts'

/** Lower case, and without separators if it is a MAC address. */
export function commonNameOf(socket: TLSSocket): string {
  const name: unknown = socket.getPeerCertificate().subject?.CN
  return typeof name === 'string' ? certificateNameOf(name) : ''
}

export const secureOptions = ({ cert, key, ca }: ListenerOptions) => ({
  cert,
  key,
  ...(ca !== undefined && { ca, requestCert: true, rejectUnauthorized: true }),
})

export const isSameButCertificate = (a: ListenerOptions, b: ListenerOptions) =>
  isDeepStrictEqual({ ...a, cert: '', key: '' }, { ...b, cert: '', key: '' })

export function listening(server: Server, { address, port }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(address !== undefined && { host: address }) }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
