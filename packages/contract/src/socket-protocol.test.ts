import { expect, it } from 'vitest'
import { acknowledgedSeq, acknowledgement, bearerInProtocols, socketProtocols } from './socket-protocol.ts'

it('offers the envelopes and the access token as subprotocols', () => {
  expect(socketProtocols('a.b.c')).toEqual(['manc.v1', 'bearer', 'a.b.c'])
  expect(bearerInProtocols(socketProtocols('a.b.c').join(', '))).toBe('a.b.c')
  expect(bearerInProtocols('bearer,a.b.c')).toBe('a.b.c')
  for (const header of ['', 'manc.v1', 'bearer']) expect(bearerInProtocols(header)).toBeUndefined()
})

it('reads the acknowledgements that it wrote, and nothing else', () => {
  expect(acknowledgement(7)).toBe('{"type":"ack","seq":7}')
  expect(acknowledgedSeq(acknowledgement(7))).toBe(7)
  for (const text of ['', 'null', '{"type":"ack"}', '{"type":"ack","seq":-1}', '{"type":"ack","seq":"7"}'])
    expect(acknowledgedSeq(text)).toBeUndefined()
})
