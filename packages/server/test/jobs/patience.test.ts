import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { JobScene } from './scene.ts'

let scene: JobScene

beforeAll(async () => {
  scene = await JobScene.open({ MANC_SOCKET_IDLE_SECONDS: '5' })
})
afterAll(() => scene?.close())

it('a client that hears nothing for long is told to come back', async () => {
  const number = randomUUID()
  await scene.post(number, [1])
  const client = await scene.connect(number)
  // Every socket is looked at once in twenty seconds.
  expect(await client.closed).toMatchObject({ code: 4010 })
}, 40_000)

it('a client that does not read is left after half a minute, and nothing of it is lost; others are served', async () => {
  const [slow, quick] = [randomUUID(), randomUUID()]
  const large = [{ text: 'x'.repeat(6 * 1024 * 1024) }]
  const client = await scene.connect(await opened(slow), { protocols: ['manc.v1'] })
  const other = await scene.connect(await opened(quick))
  client.socket.pause()
  await scene.post(slow, large)
  const startedAt = Date.now()
  await scene.post(quick, [2])
  await expect.poll(() => other.messages.at(-1), { timeout: 2000 }).toEqual([2])
  // It is told so once it reads again.
  setTimeout(() => client.socket.resume(), 33_000)
  expect((await client.closed).code).toBe(4008)
  expect(Date.now() - startedAt).toBeGreaterThan(29_000)
  const again = await scene.connect(slow, { protocols: ['manc.v1'], query: '?after=1' })
  await expect
    .poll(() => again.messages.map(({ seq, data }) => [seq, data[0].text.length]), { timeout: 10_000 })
    .toEqual([[2, 6 * 1024 * 1024]])
}, 90_000)

async function opened(number: string): Promise<string> {
  await scene.post(number, [0])
  return number
}
