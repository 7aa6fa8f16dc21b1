import { describe, expect, it } from 'vitest'
import { type CommandNews, CommandRunner } from './commands.ts'

const command = (more: { expires_at?: string } = {}) => ({
  id: 'c-1',
  command: 'reboot',
  expires_at: new Date(Date.now() + 60_000).toISOString(),
  ...more,
})

describe('a command', () => {
  it('a command is executed once, after the controller has acknowledged its receipt', async () => {
    const order: string[] = []
    const runner = new CommandRunner(() => void order.push('carried out'))
    const say = async ({ state }: CommandNews) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      order.push(state)
    }
    await runner.handle(command(), say)
    expect(order).toEqual(['delivered', 'carried out', 'succeeded'])
    await runner.handle(command(), say)
    expect(order).toEqual(['delivered', 'carried out', 'succeeded', 'succeeded'])
  })

  it('that could not be said to have come is carried out when it comes again', async () => {
    let times = 0
    const runner = new CommandRunner(() => {
      times += 1
    })
    await expect(
      runner.handle(command(), () => Promise.reject(new Error('the controller is away'))),
    ).rejects.toThrow('away')
    expect(times).toBe(0)
    const states: string[] = []
    await runner.handle(command(), ({ state }) => void states.push(state))
    expect([times, states]).toEqual([1, ['delivered', 'succeeded']])
  })

  it('a command is not executed after its expiry, also if it expires before it is acknowledged', async () => {
    let times = 0
    const runner = new CommandRunner(() => {
      times += 1
    })
    const said: CommandNews[] = []
    const late = command({ expires_at: new Date(Date.now() + 1000).toISOString() })
    await runner.handle(late, async (news) => {
      said.push(news)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    })
    expect(times).toBe(0)
    expect(said.map(({ state }) => state)).toEqual(['delivered', 'failed'])
  })

  it.each([
    ['that is no JSON', () => 1n],
    ['of half a megabyte', () => 'x'.repeat(500_000)],
  ])('with a result %s fails in words', async (_, handler) => {
    const said: CommandNews[] = []
    await new CommandRunner(handler).handle(command(), (news) => void said.push(news))
    expect(said.at(-1)).toMatchObject({ state: 'failed', detail: expect.any(String) })
  })
})
