/** A receiver of alerts that only answers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, reply) => {
  request.resume().once('end', () => reply.end())
})
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
