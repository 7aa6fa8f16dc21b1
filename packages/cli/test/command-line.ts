import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const bin = path.join(import.meta.dirname, '../bin/manc.js')
const cache = path.join(import.meta.dirname, '../../../node_modules/.cache')

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  ended: Promise<Outcome>
}

/** A user of the command line, with a separate home folder. */
export class CommandLine {
  readonly home = mkdtempSync(path.join(tmpdir(), 'manc-cli-'))
  readonly #variables: Record<string, string>

  constructor(variables: Record<string, string> = {}) {
    this.#variables = variables
  }

  get configFile(): string {
    return path.join(this.home, 'manc', 'config.json')
  }

  /** With its output piped. */
  run(words: string[], { input = '', variables = {} }: Given = {}): Promise<Outcome> {
    const running = this.start(words, variables)
    running.child.stdin?.end(input)
    return running.ended
  }

  /** Like `run`, but throws on failure. */
  async must(words: string[], given: Given = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, given)
    if (code !== 0) throw new Error(`manc ${words.join(' ')}: ${code}\n${stdout}${stderr}`)
    return stdout
  }

  async json(words: string[], given: Given = {}): Promise<any> {
    return JSON.parse(await this.must([...words, '--json'], given))
  }

  start(words: string[], variables: Record<string, string> = {}): Running {
    return follow(spawn(process.execPath, [bin, ...words], { env: this.#env(variables) }))
  }

  /** In a terminal: standard output and standard error are one stream. */
  inTerminal(words: string[], variables: Record<string, string> = {}): Running {
    const line = `stty rows 40 cols 100; exec ${[process.execPath, bin, ...words].map(quoted).join(' ')}`
    return follow(
      spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
        env: { ...this.#env(variables), TERM: 'xterm-256color', SHELL: '/bin/sh' },
      }),
    )
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  #env(more: Record<string, string>): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      XDG_CONFIG_HOME: this.home,
      XDG_CACHE_HOME: cache,
      ...this.#variables,
      ...more,
    }
  }
}

interface Given {
  input?: string
  variables?: Record<string, string>
}

function follow(child: ChildProcess): Running {
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
    })
  // A write after the end fails; the outcome shows the end.
  child.stdin?.on('error', () => {})
  const ended = new Promise<Outcome>((resolve) => child.once('close', (code) => resolve({ code, ...text })))
  return { child, stdout: () => text.stdout, stderr: () => text.stderr, ended }
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`
