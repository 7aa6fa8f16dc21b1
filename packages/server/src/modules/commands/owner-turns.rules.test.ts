import { expect, it } from 'vitest'
import { OwnerTurns } from './owner-turns.rules.ts'

it('runs the work of one owner one after another, also after a failure, and that of others beside it', async () => {
  const turns = new OwnerTurns()
  const log: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const start = (owner: string, name: string) => {
    const gate = Promise.withResolvers<void>()
    gates.set(name, gate)
    return turns.run(owner, async () => {
      log.push(`start ${name}`)
      await gate.promise
      log.push(`end ${name}`)
      return name
    })
  }
  const first = start('app', 'a1')
  const second = start('app', 'a2')
  const other = start('user', 'u1')
  expect(log).toEqual(['start a1', 'start u1'])

  gates.get('u1')?.resolve()
  expect(await other).toBe('u1')
  gates.get('a1')?.reject(new Error('no database'))
  await expect(first).rejects.toThrow('no database')
  await expect.poll(() => log).toContain('start a2')
  gates.get('a2')?.resolve()
  expect(await second).toBe('a2')
  expect(log).toEqual(['start a1', 'start u1', 'end u1', 'start a2', 'end a2'])
})
