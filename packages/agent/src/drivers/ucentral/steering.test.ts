import { expect, it } from 'vitest'
import { type SteeringLink, steer } from './steering.ts'

const client = '02:00:00:00:aa:01'
const here = '02:00:00:00:00:01'
const signal = AbortSignal.timeout(20_000)

/** An access point whose station stays, or leaves when it is asked to. */
function link(leaves: boolean): SteeringLink & { sent: unknown[] } {
  let stations = [{ address: client, bssid: here }]
  const sent: unknown[] = []
  return {
    sent,
    bsss: [{ bssid: here, ssid: 'office' }],
    async request(_method, { actions }) {
      sent.push(actions)
      if (leaves) stations = []
      return { result: { status: { error: 0, text: '' } } }
    },
    stations: async () => stations,
  }
}

const target = {
  apId: 'wifi-9',
  bssid: '02:00:00:00:09:01',
  report: '',
  bsss: [
    { bssid: '02:00:00:00:09:01', ssid: 'guests' },
    { bssid: '02:00:00:00:09:02', ssid: 'office' },
  ],
}

it('a client is offered the BSSs of its own network, and has moved when it is gone', async () => {
  const source = link(true)
  expect(await steer(source, client, target, signal)).toMatchObject({ to: 'wifi-9', moved: true })
  expect(source.sent).toEqual([
    [{ action: 'bss_transition', addr: client, neighbors: ['02:00:00:00:09:02'] }],
  ])
})

it('a client that stays has not moved', async () => {
  expect(await steer(link(false), client, target, signal, 0)).toEqual({
    client,
    to: 'wifi-9',
    moved: false,
    cause: 'The client did not arrive at the target.',
    text: 'not moved: The client did not arrive at the target.',
  })
})

it('an entry of an earlier visit at the target is not an arrival', async () => {
  let connectedS = 500
  const findEarlier = async () => {
    connectedS += 1
    return { connectedS }
  }
  const listed = { ...target, findStation: findEarlier }
  expect(await steer(link(true), client, listed, signal, 0)).toMatchObject({ moved: false })
  const source = link(true)
  const findStation = async () => ({ connectedS: source.sent.length > 0 ? 1 : 500 })
  expect(await steer(source, client, { ...target, findStation }, signal)).toMatchObject({ moved: true })
})

it('a target that does not answer is reported before the time of the command is over', async () => {
  const source = link(true)
  const findStation = (_address: string, ending: AbortSignal) =>
    new Promise<undefined>((_resolve, reject) =>
      ending.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
    )
  expect(await steer(source, client, { ...target, findStation }, signal, 50)).toEqual({
    client,
    to: 'wifi-9',
    moved: false,
    cause: 'The target wifi-9 does not answer.',
    text: 'not moved: The target wifi-9 does not answer.',
  })
  expect(source.sent).toEqual([])
})
