import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { Limits } from '../../limits.ts'
import { Metrics } from '../../metrics.ts'
import { QuerySlots } from './query-slots.service.ts'

const { signal } = new AbortController()
const newSlots = () => new QuerySlots({ max: 4, limits: new Limits(new Metrics(pino({ level: 'silent' }))) })

describe('the slots of one caller', () => {
  it('are as many as it may have, and the next query starts when one is free', async () => {
    const slots = newSlots()
    const started: string[] = []
    const take = async (name: string, caller: string) => {
      const free = await slots.take(caller, signal, 1)
      started.push(name)
      return free
    }
    const first = await take('first', 'user a')
    const second = take('second', 'user a')
    await take('other', 'user b')
    expect(started).toEqual(['first', 'other'])
    first()
    await second
    expect(started).toEqual(['first', 'other', 'second'])
  })

  it('are all but one where no fewer are given', async () => {
    const slots = newSlots()
    for (const _ of [1, 2, 3]) await slots.take('user a', signal)
    const left = new AbortController()
    const fourth = slots.take('user a', left.signal)
    await slots.take('user b', signal)
    left.abort()
    await expect(fourth).rejects.toThrow('disconnected')
  })
})
