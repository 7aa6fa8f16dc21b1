import { describe, expect, it } from 'vitest'
import { Commands } from './commands.ts'

const allowed = {
  say: { run: ['/bin/echo', '-n', 'hello'], arguments: ['[a-z]{1,5}'], timeoutS: 5 },
  any: { run: ['/bin/echo'], arguments: ['[a-z-]+'], timeoutS: 5 },
  fail: { run: ['/bin/sh', '-c', 'echo why >&2; exit 3'], arguments: [], timeoutS: 5 },
  hang: { run: ['/bin/sh', '-c', 'sleep 60 & sleep 60'], arguments: [], timeoutS: 1 },
  flood: { run: ['/usr/bin/head', '-c', '1000000', '/dev/zero'], arguments: [], timeoutS: 5 },
  gone: { run: ['/nowhere/program'], arguments: [], timeoutS: 5 },
}
const commands = new Commands(allowed, async () => ({ load_pct: 1 }))

describe('a command', () => {
  it('of the list is carried out, with the words that its patterns allow', async () => {
    expect(await commands.carryOut('say world')).toEqual({ exit_code: 0, output: 'hello world' })
    expect(await commands.carryOut('report')).toEqual({ load_pct: 1 })
  })

  it.each(['reboot', 'constructor', '__proto__', '', '/bin/sh', 'report now'])(
    'not on it is refused: %s',
    async (text) => {
      await expect(commands.carryOut(text)).rejects.toThrow(
        'Not allowed here. Allowed: report, say, any, fail',
      )
    },
  )

  it.each(['say', 'say a b', 'say world;id', 'say $(id)', 'say toolong', 'say Aa', 'fail now', 'any -n'])(
    'with other words is refused: %s',
    async (text) => {
      await expect(commands.carryOut(text)).rejects.toThrow('Not allowed with these words.')
    },
  )

  it('that fails says why', async () => {
    await expect(commands.carryOut('fail')).rejects.toThrow('Ended with 3. why')
    await expect(commands.carryOut('gone')).rejects.toThrow('ENOENT')
  })

  it('that hangs is ended, with what it has started', async () => {
    const before = performance.now()
    await expect(commands.carryOut('hang')).rejects.toThrow('Ended after 1 s.')
    expect(performance.now() - before).toBeLessThan(3000)
  })

  it('may say only so much', async () => {
    expect(await commands.carryOut('flood')).toEqual({ exit_code: 0, output: '\0'.repeat(8192), cut: true })
  })

  it('is listed for the controller', () => {
    expect(commands.names).toEqual(['report', ...Object.keys(allowed)])
  })
})
