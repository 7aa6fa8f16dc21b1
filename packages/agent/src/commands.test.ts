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

describe('Commands', () => {
  it('executes a listed command with arguments that match its patterns', async () => {
    expect(await commands.execute('say world')).toEqual({ exit_code: 0, output: 'hello world' })
    expect(await commands.execute('report')).toEqual({ load_pct: 1 })
  })

  it.each(['reboot', 'constructor', '__proto__', '', '/bin/sh', 'report now'])(
    'rejects a command that is not listed: "%s"',
    async (text) => {
      await expect(commands.execute(text)).rejects.toThrow(
        'Command not allowed. Allowed: report, say, any, fail',
      )
    },
  )

  it.each(['say', 'say a b', 'say world;id', 'say $(id)', 'say toolong', 'say Aa', 'fail now', 'any -n'])(
    'rejects arguments that do not match the patterns: "%s"',
    async (text) => {
      await expect(commands.execute(text)).rejects.toThrow('Arguments not allowed.')
    },
  )

  it('reports the exit code and the output of a program that fails', async () => {
    await expect(commands.execute('fail')).rejects.toThrow('Exited with code 3. why')
    await expect(commands.execute('gone')).rejects.toThrow('ENOENT')
  })

  it('kills a program that times out, with its child processes', async () => {
    const before = performance.now()
    await expect(commands.execute('hang')).rejects.toThrow('Timed out after 1 s.')
    expect(performance.now() - before).toBeLessThan(3000)
  })

  it('truncates the output at 8 KiB', async () => {
    expect(await commands.execute('flood')).toEqual({ exit_code: 0, output: '\0'.repeat(8192), cut: true })
  })

  it('lists the allowed commands for the controller', () => {
    expect(commands.names).toEqual(['report', ...Object.keys(allowed)])
  })
})
