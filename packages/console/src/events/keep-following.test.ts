import { SessionEnded } from '@manc/sdk'
import { expect, it } from 'vitest'
import { keepFollowing } from './keep-following.ts'

it('a stream that fails is followed again, until the page is left', async () => {
  const abort = new AbortController()
  const errors: unknown[] = []
  let starts = 0
  await keepFollowing({
    follow: async () => {
      if (++starts === 3) abort.abort()
      throw new Error(`failure ${starts}`)
    },
    signal: abort.signal,
    onError: (error) => errors.push((error as Error).message),
    delayMs: 1,
  })
  expect([starts, errors]).toEqual([3, ['failure 1', 'failure 2']])
})

it('a stream whose session has ended is not followed again', async () => {
  const ended = new SessionEnded()
  const errors: unknown[] = []
  await keepFollowing({
    follow: () => Promise.reject(ended),
    signal: new AbortController().signal,
    onError: (error) => errors.push(error),
    delayMs: 1,
  })
  expect(errors).toEqual([ended])
})

it('waiting ends when the page is left', async () => {
  const abort = new AbortController()
  const following = keepFollowing({
    follow: () => Promise.reject(new Error('failure')),
    signal: abort.signal,
    onError: () => setTimeout(() => abort.abort()),
    delayMs: 3_600_000,
  })
  await expect(following).resolves.toBeUndefined()
})
