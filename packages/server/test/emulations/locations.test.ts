import { createHook } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { TestEnvironment } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { coordinates, places, refused } from './location-texts.ts'

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** One access point at each of the locations. */
const spinUp = (locations: readonly string[]) =>
  environment.request('POST', '/api/v1/emulator/spinup', {
    emulators: [
      {
        access_point_type: 'WiFi',
        num_access_points: locations.length,
        locations,
        num_devices: 1,
        duration: 60,
      },
    ],
  })

/** Where the agents of a request are, in its order. */
async function positionsOf(agents: string[]): Promise<{ latitude: number; longitude: number }[]> {
  const rows = await environment.sql(
    `select configuration::json ->> 'geolocation' as at from unnest($1::text[]) with ordinality as wanted (ap_id, n)
     join agents using (ap_id) order by n`,
    [agents],
  )
  return rows.map(({ at }) => JSON.parse(at))
}

/** Names that this process looks up, and addresses that it connects to, while something is done. */
async function outsideOf(work: () => Promise<void>): Promise<string[]> {
  const sockets: Socket[] = []
  const lookUps: string[] = []
  const hook = createHook({
    init: (_id, type) => void (/^(GETADDRINFO|GETNAMEINFO|QUERY)/.test(type) && lookUps.push(type)),
  })
  const collect = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
  subscribe('net.client.socket', collect)
  hook.enable()
  try {
    await work()
  } finally {
    hook.disable()
    unsubscribe('net.client.socket', collect)
  }
  const others = sockets.flatMap(({ remoteAddress: address }) => address ?? [])
  return [...lookUps, ...others.filter((address) => !/^(::1|(::ffff:)?127\.)/.test(address))]
}

describe('locations of emulated access points', () => {
  it('resolve in every notation without a network request', async () => {
    const outside = await outsideOf(async () => {
      const texts = [...coordinates, ...places]
      const { status, body } = await spinUp(texts.map(([text]) => text))
      expect(status).toBe(200)
      const found = await positionsOf(body.agents)
      expect(found).toHaveLength(texts.length)
      for (const [index, [text, latitude, longitude]] of texts.entries()) {
        const { latitude: north = NaN, longitude: east = NaN } = found[index] ?? {}
        const within = index < coordinates.length ? 0 : 0.05
        const off = Math.max(Math.abs(north - latitude), Math.abs(east - longitude))
        expect([text, off <= within]).toEqual([text, true])
      }
    })
    expect(outside).toEqual([])
  })

  it('are rejected when they are invalid: each invalid one is named, without a network request', async () => {
    const outside = await outsideOf(async () => {
      // Values that are not text are rejected before the look-up.
      for (const texts of [refused.filter((text) => text.isWellFormed()), ['\ud800', 'Bristol']]) {
        const { status, body } = await spinUp(texts)
        expect(status).toBe(422)
        expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual(
          texts.flatMap((text, index) =>
            text === 'Bristol' ? [] : [['body', 'emulators', 0, 'locations', index]],
          ),
        )
      }
    })
    expect(outside).toEqual([])
  })
})
