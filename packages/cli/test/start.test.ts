import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { fill } from '../src/command-registry.ts'
import { createProgram } from '../src/main.ts'
import { CommandLine } from './command-line.ts'

const bin = path.join(import.meta.dirname, '../bin/manc.js')
const line = new CommandLine()
afterAll(() => line.close())

const maxMs = 150
/** Relative to the start of Node alone, for machines on which that takes long. */
const maxOfNode = 3
const runs = 10
const maxRuns = 30

/** Of a program that ends at once, in milliseconds. */
function startOf(parameters: string[]): number {
  const startedAt = performance.now()
  const { status } = spawnSync(process.execPath, parameters)
  const tookMs = performance.now() - startedAt
  expect(status).toBe(0)
  return tookMs
}

describe('manc', () => {
  it.each([['--version'], ['agents list --help']])('manc %s starts quickly', async (words) => {
    // The best of several runs, because other processes share the machine.
    let [best, ofNode] = [Infinity, Infinity]
    const limitMs = () => Math.max(maxMs, maxOfNode * ofNode)
    for (let run = 0; run < runs || (best >= limitMs() && run < maxRuns); run++) {
      ofNode = Math.min(ofNode, startOf(['--eval', '0']))
      best = Math.min(best, startOf([bin, ...words.split(' ')]))
      if (run >= runs) await sleep(500)
    }
    process.stdout.write(`manc ${words}: ${best.toFixed(0)} ms, Node alone: ${ofNode.toFixed(0)} ms\n`)
    expect(best).toBeLessThan(limitMs())
  })

  it('lists commands and exit codes in its help', async () => {
    const help = await line.must(['--help'])
    for (const word of ['login', 'agents', 'doctor', 'Exit codes', 'MANC_TOKEN']) expect(help).toContain(word)
    expect(help).not.toMatch(/^ {2}complete /m)
    expect(await line.must(['help', 'agents', 'list'])).toBe(await line.must(['agents', 'list', '--help']))
    expect((await line.run([])).code).toBe(2)
    expect((await line.run(['agents'])).code).toBe(2)
  })

  it('shows an example in the help of every command', async () => {
    const helps = new Map<string, string>()
    for (const top of createProgram().commands) {
      await fill(top)
      for (const command of top.commands.length > 0 ? top.commands : [top]) {
        let help = ''
        command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
        helps.set(`${top.name()} ${command.name()}`, help)
      }
    }
    // Called by shells only.
    helps.delete('complete complete')
    expect(helps.size).toBeGreaterThan(40)
    expect([...helps].filter(([, help]) => !/^Examples:\n {2}\S/m.test(help)).map(([name]) => name)).toEqual(
      [],
    )
  })

  it('names the required version on an old Node', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'manc-old-'))
    // The same program with the version number of an old Node.
    const old = path.join(folder, 'old.mjs')
    writeFileSync(
      old,
      `Object.defineProperty(process, 'versions', { value: { node: '22.1.0' } }); await import(${JSON.stringify(bin)})`,
    )
    const { status, stderr } = spawnSync(process.execPath, [old], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect([status, stderr]).toEqual([1, expect.stringContaining('manc needs Node 24.12 or newer')])
  })
})

describe('shell completion', () => {
  it('lists the possible next arguments', async () => {
    const after = async (...words: string[]) => {
      const out = await line.must(['complete', '--', ...words])
      return out.split('\n').flatMap((each) => (each.includes('\t') ? [each.split('\t')[0]] : []))
    }
    expect(await after('ag')).toEqual(['agents'])
    expect(await after('agents', 're')).toEqual(['register', 'remove', 'rejections', 'restore'])
    expect(await after('agents', 'list', '--st')).toEqual(['--state'])
    expect(await after('agents', 'list', '--pro')).toEqual(['--profile'])
    expect(await after('telemetry', 'history', 'x', '--format', '')).toEqual(['csv', 'json', 'ndjson'])
    expect(await after('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    // Without a login there are no ids, and no error.
    expect(await after('agents', 'get', '')).toEqual([])
  })

  it('works in bash', () => {
    const env = shellEnvironment()
    const complete = (text: string) =>
      execFileSync(
        'bash',
        [
          '--norc',
          '-c',
          `source <(manc completion bash)
           COMP_WORDS=(${text}) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
           compopt() { :; }
           __manc_complete
           printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8', env },
      )
    expect(complete('manc tel')).toBe('telemetry\n')
    expect(complete('manc agents ""').trim().split('\n')).toContain('watch')
    expect(complete('manc fleet --o')).toBe('--once\n')
  })

  const hasZsh = spawnSync('zsh', ['--version']).status === 0
  it.skipIf(!hasZsh)('works in zsh with the Tab key', async () => {
    const zsh = spawn('script', ['--quiet', '--command', 'zsh -f -i', '/dev/null'], {
      env: { ...shellEnvironment(), TERM: 'xterm', SHELL: '/bin/sh' },
    })
    let seen = ''
    zsh.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      seen += chunk
    })
    try {
      zsh.stdin.write('autoload -Uz compinit; compinit -u -D; source <(manc completion zsh); echo re""ady\n')
      await expect.poll(() => seen, { timeout: 60_000 }).toContain('ready')
      zsh.stdin.write('manc telem\t')
      await expect.poll(() => seen, { timeout: 60_000 }).toContain('manc telemetry')
      zsh.stdin.write('hist\t')
      await expect.poll(() => seen, { timeout: 60_000 }).toContain('history')
    } finally {
      zsh.kill('SIGKILL')
    }
  })

  it('has a script for fish', async () => {
    expect(await line.must(['completion', 'fish'])).toContain('complete -c manc')
  })
})

/** With `manc` in the path, and a separate home. */
function shellEnvironment(): Record<string, string> {
  const folder = path.join(line.home, 'bin')
  if (!existsSync(folder)) {
    mkdirSync(folder)
    chmodSync(bin, 0o755)
    symlinkSync(bin, path.join(folder, 'manc'))
    symlinkSync(process.execPath, path.join(folder, 'node'))
  }
  return { PATH: `${folder}:/usr/bin:/bin`, XDG_CONFIG_HOME: line.home, HOME: line.home }
}
