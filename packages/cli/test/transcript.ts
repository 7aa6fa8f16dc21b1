import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { admin, call, tokenOf } from '@manc/harness'
import { expect } from 'vitest'
import { CommandLine, type Outcome, type Running } from './command-line.ts'
import { maskVariableParts } from './mask-variable-parts.ts'
import { seenOn } from './terminal.ts'

/** One call of `manc`, in a pipe and in a terminal. */
export interface Act {
  words: string
  /** Without a login; the default is the administrator. */
  by?: 'anonymous'
  variables?: Record<string, string>
  /** Lines of standard input. On a terminal they are typed, one at each prompt. */
  input?: string[]
  /** Lines typed on a terminal, if they differ from `input`. */
  typed?: string[]
  /** Interrupted with Ctrl-C when this is shown. */
  until?: RegExp
  /** The same for commands that are live on a terminal only. */
  drawn?: RegExp
  /** An agent that sends samples during the call. */
  sends?: string
  /** Values of its output for later calls, by their placeholder. */
  keeps?: Record<string, RegExp>
  /** Records only this number of lines. */
  head?: number
}

const timeoutMs = 60_000

/** Calls `manc` in a pipe or in a terminal. */
export class Way {
  readonly isTerminal: boolean
  /** Placeholders of a transcript for values that differ from run to run. */
  readonly names = new Map<string, string>()
  readonly #url: string
  readonly #people: { admin: CommandLine; anonymous: CommandLine }

  constructor(isTerminal: boolean, url: string, administrator: CommandLine) {
    this.isTerminal = isTerminal
    this.#url = url
    this.#people = { admin: administrator, anonymous: new CommandLine({ MANC_URL: url }) }
    this.names.set('http://localhost:8080', url)
  }

  close(): void {
    this.#people.anonymous.close()
  }

  /** Runs a call and returns its part of the transcript. */
  async perform(act: Act): Promise<string> {
    const outcome = await this.#run(act)
    const { code, stdout, stderr } = outcome
    expectGood(act, this.isTerminal, outcome)
    for (const [name, pattern] of Object.entries(act.keeps ?? {})) {
      const found = pattern.exec(stdout)
      if (!found) throw new Error(`${act.words}: no ${pattern} in\n${stdout}${stderr}`)
      this.names.set(name, found[1] ?? found[0])
    }
    const text = this.isTerminal
      ? this.#masked(onTerminal(stdout))
      : this.#masked(stdout) + this.#masked(stderr).replaceAll(/^(?=.)/gm, '2> ')
    const lines = text.trimEnd().split('\n')
    const { length } = lines
    const some = length > (act.head ?? length) ? [...lines.slice(0, act.head), '[and more]'] : lines
    return [this.#prompt(act), ...some, `[exit code ${code}]`, ''].join('\n')
  }

  async #run(act: Act): Promise<Outcome> {
    const words = act.words.split(' ').map(this.#real)
    const person = this.#people[act.by ?? 'admin']
    const variables = Object.fromEntries(
      Object.entries(act.variables ?? {}).map(([name, value]) => [name, this.#real(value)]),
    )
    const running = this.isTerminal ? person.inTerminal(words, variables) : person.start(words, variables)
    try {
      const [outcome] = await Promise.all([
        this.#lead(act, running),
        act.sends && this.#send(this.#real(act.sends), running),
      ])
      return outcome
    } finally {
      running.child.kill('SIGKILL')
    }
  }

  /** The input of a user, until the command ends. */
  async #lead(act: Act, running: Running): Promise<Outcome> {
    const lines = ((this.isTerminal && act.typed) || act.input || []).map(this.#real)
    if (this.isTerminal) await type(running, lines)
    else running.child.stdin?.end(lines.map((line) => `${line}\n`).join(''))
    const last = this.isTerminal ? (act.drawn ?? act.until) : act.until
    if (last) {
      await until(running, (text) => last.test(text))
      if (this.isTerminal) running.child.stdin?.write('\u0003')
      else running.child.kill('SIGINT')
    }
    return running.ended
  }

  /** Repeatedly, because a watching command receives only samples from its start on. */
  async #send(apId: string, running: Running): Promise<void> {
    const token = await tokenOf(this.#url, 'user', admin.username, admin.password)
    while (isRunning(running)) {
      const body = { ap_id: apId, payload: { clients: 4 } }
      await call(this.#url, 'POST', '/api/v1/agent_update/update', { token, body })
      await sleep(200)
    }
  }

  #real = (text: string): string =>
    [...this.names].reduce((so, [name, real]) => so.replaceAll(name, real), text)

  #masked = (text: string): string =>
    maskVariableParts([...this.names].reduce((so, [name, real]) => so.replaceAll(real, name), text))

  #prompt({ words, variables = {}, by }: Act): string {
    const before = Object.entries(variables).map(([name, value]) => `${name}=${value} `)
    const typed = words.split(' ').map((word) => (/[^\w@:/.,=+-]/.test(word) ? `'${word}'` : word))
    const who = by ? ', not logged in' : ''
    return `$ ${before.join('')}manc ${typed.join(' ')}   # ${this.isTerminal ? 'in a terminal' : 'piped'}${who}`
  }
}

/** The last picture of a live view, marked with a bar, then the other lines. */
function onTerminal(sent: string): string {
  const { picture, stays } = seenOn(sent)
  return [...picture.filter((line) => line.trim() !== '').map((line) => `│ ${line}`), ...stays].join('\n')
}

async function type(running: Running, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    await until(running, (text) => text.endsWith(': '))
    const { length } = running.stdout()
    running.child.stdin?.write(`${line}\r`)
    await until(running, () => running.stdout().length > length)
  }
}

const isRunning = ({ child }: Running) => child.exitCode === null && child.signalCode === null

/** Waits for a text on the screen, or for the end. */
async function until(running: Running, isShown: (text: string) => boolean): Promise<void> {
  const text = () => stripVTControlCharacters(running.stdout() + running.stderr())
  for (const deadline = Date.now() + timeoutMs; isRunning(running); await sleep(20)) {
    if (isShown(text())) return
    if (Date.now() > deadline) throw new Error(`the expected text was not shown:\n${text()}`)
  }
}

const nextStep =
  /manc |--\w|Add |Check |Choose |Try |Ask |Write |Set |Pipe |Look |Correct |Fix |Use |Remove |There are |is missing/

/** Conditions for every call. */
function expectGood(act: Act, isTerminal: boolean, { code, stdout, stderr }: Outcome): void {
  const all = stdout + stderr
  const isJson = / --json\b/.test(act.words)
  const output = `manc ${act.words}\n${all}`
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
  // oxlint-disable-next-line no-control-regex
  if (!isTerminal) expect(output).not.toMatch(/\u001B/)
  if (isJson && code === 0 && !isTerminal) expect(isParsed(stdout) ? '' : output).toBe('')
  if (code === 0 || code === 130) return
  expect(output).toMatch(nextStep)
  if (isTerminal) return
  const message = stderr.split('\n').filter((line) => line !== '' && !/^ *\d+\.\d s {2}/.test(line))
  expect(message.length > 3 ? output : '').toBe('')
}

/** Whether it is JSON: one value, or one per line. */
function isParsed(text: string): boolean {
  const are = (texts: string[]) =>
    texts.every((each) => {
      try {
        return JSON.parse(each) !== undefined
      } catch {
        return false
      }
    })
  return are([text]) || are(text.trim().split('\n'))
}

/** The transcript of some calls, in sequence or concurrently. Both terminal modes run concurrently on separate data. */
export async function transcriptOf(
  acts: readonly Act[],
  ways: readonly Way[],
  { isConcurrent = false } = {},
): Promise<string> {
  const texts = await Promise.all(
    ways.map(async (way) => {
      if (isConcurrent) return Promise.all(acts.map((act) => way.perform(act)))
      const parts: string[] = []
      for (const act of acts) parts.push(await way.perform(act))
      return parts
    }),
  )
  return acts.map((_, n) => texts.map((parts) => parts[n]).join('\n')).join('\n')
}
