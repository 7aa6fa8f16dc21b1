import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { admin, call, tokenOf } from '@manc/harness'
import { expect } from 'vitest'
import { CommandLine, type Outcome, type Running } from './command-line.ts'
import { maskVariableParts } from './mask-variable-parts.ts'
import { seenOn } from './terminal.ts'

/** One call of `manc`. Its words are the same for a pipe and for a terminal. */
export interface Act {
  words: string
  /** Somebody who is not logged in; else the administrator. */
  by?: 'nobody'
  variables?: Record<string, string>
  /** Lines of its standard input. On a terminal they are typed, one at each prompt. */
  input?: string[]
  /** What is typed on a terminal, where that asks for more. */
  typed?: string[]
  /** Left with Ctrl-C when this is to be seen. */
  until?: RegExp
  /** The same where it is live on a terminal only. */
  drawn?: RegExp
  /** An agent that sends samples meanwhile. */
  sends?: string
  /** What later acts need of its output, by the name that stands for it in them. */
  keeps?: Record<string, RegExp>
  /** Of a long text, so many lines are enough. */
  head?: number
}

const longestMs = 20_000

/** A way to call `manc`: with pipes, or in a terminal. */
export class Way {
  readonly isTerminal: boolean
  /** What stands in a transcript for what differs from run to run. */
  readonly names = new Map<string, string>()
  readonly #url: string
  readonly #people: { admin: CommandLine; nobody: CommandLine }

  constructor(isTerminal: boolean, url: string, administrator: CommandLine) {
    this.isTerminal = isTerminal
    this.#url = url
    this.#people = { admin: administrator, nobody: new CommandLine({ MANC_URL: url }) }
    this.names.set('http://localhost:8080', url)
  }

  close(): void {
    this.#people.nobody.close()
  }

  /** What a transcript shows of it. */
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

  /** What somebody does at the keyboard, up to the end. */
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

  /** Whoever listens hears only what comes from then on. */
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

/** The picture of a live view first, with a bar beside it. */
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

/** Waits for what is to be seen, or for the end. */
async function until(running: Running, isThere: (text: string) => boolean): Promise<void> {
  const text = () => stripVTControlCharacters(running.stdout() + running.stderr())
  for (const deadline = Date.now() + longestMs; isRunning(running); await sleep(20)) {
    if (isThere(text())) return
    if (Date.now() > deadline) throw new Error(`it waits for something else:\n${text()}`)
  }
}

const nextStep = /manc |--\w|Add |Check |Choose |Try |Ask |Write |Set |Pipe |Look |Correct |Mend |There are /

/** What holds for every call, whatever it does. */
function expectGood(act: Act, isTerminal: boolean, { code, stdout, stderr }: Outcome): void {
  const all = stdout + stderr
  const isJson = / --json\b/.test(act.words)
  const told = `manc ${act.words}\n${all}`
  expect(told).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
  // oxlint-disable-next-line no-control-regex
  if (!isTerminal) expect(told).not.toMatch(/\u001B/)
  if (isJson && code === 0 && !isTerminal) expect(isParsed(stdout) ? '' : told).toBe('')
  if (code === 0 || code === 130) return
  expect(told).toMatch(nextStep)
  if (isTerminal) return
  const message = stderr.split('\n').filter((line) => line !== '' && !/^ *\d+\.\d s {2}/.test(line))
  expect(message.length > 3 ? told : '').toBe('')
}

/** Whether it is JSON: one value, or one a line. */
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

/** The acts one after the other, or at once; in both ways at once, since what they make is apart. */
export async function transcriptOf(
  acts: readonly Act[],
  ways: readonly Way[],
  { isAtOnce = false } = {},
): Promise<string> {
  const told = await Promise.all(
    ways.map(async (way) => {
      if (isAtOnce) return Promise.all(acts.map((act) => way.perform(act)))
      const texts: string[] = []
      for (const act of acts) texts.push(await way.perform(act))
      return texts
    }),
  )
  return acts.map((_, n) => told.map((texts) => texts[n]).join('\n')).join('\n')
}
