import { expect, it } from 'vitest'
import { Wait } from './wait.ts'

const forever = 2 ** 30

it('a wait ends after its time, with an end, and with the signal', async () => {
  const wait = new Wait()
  // Before there is one it has no effect.
  wait.end()
  const stopping = new AbortController()
  await wait.until(1, stopping.signal)
  const ended = wait.until(forever, stopping.signal)
  wait.end()
  await ended
  const stopped = wait.until(forever, stopping.signal)
  stopping.abort()
  await stopped
  await wait.until(forever, stopping.signal)
  expect(stopping.signal.aborted).toBe(true)
})
