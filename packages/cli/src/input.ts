import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { text as textOf } from 'node:stream/consumers'
import { interrupted, wrongUsage } from './failure.ts'

let lines: string[] | undefined

/** The next line of standard input: several secrets can be piped in, one per line. */
async function pipedLine(what: string): Promise<string> {
  if (process.stdin.isTTY) throw wrongUsage(`The ${what} is read from standard input. Pipe it in.`)
  // Read as a stream: a non-blocking pipe may be empty at first, which a file read reports as an error.
  lines ??= (await textOf(process.stdin)).split(/\r?\n/)
  const next = lines.shift()
  if (!next) throw wrongUsage(`Standard input contains no ${what}. Pipe it in on a separate line.`)
  return next
}

/** Prompted for on a terminal without echo, or read from standard input. Never an argument, which other users can see. */
export async function secret(
  what: string,
  { isPiped = false, isNew = false }: { isPiped?: boolean | undefined; isNew?: boolean } = {},
): Promise<string> {
  if (isPiped || !process.stdin.isTTY) return pipedLine(what)
  const text = await hidden(`${what}: `)
  if (isNew && (await hidden('Repeat: ')) !== text)
    throw wrongUsage('The two entries differ. Nothing was changed. Try again.')
  if (text === '') throw wrongUsage(`The ${what} is empty. Try again.`)
  return text
}

export async function line(what: string): Promise<string> {
  const readline = createInterface({ input: process.stdin, output: process.stderr })
  readline.once('SIGINT', () => readline.close())
  try {
    return (await readline.question(`${what}: `, { signal: closing(readline) })).trim()
  } catch {
    throw interrupted('Cancelled.')
  } finally {
    readline.close()
  }
}

function closing(readline: { once(event: 'close', listener: () => void): unknown }): AbortSignal {
  const stop = new AbortController()
  readline.once('close', () => stop.abort())
  return stop.signal
}

function hidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  // Before the prompt, so that pasted or early input is not echoed.
  stdin.setRawMode(true)
  stderr.write(prompt)
  stdin.setEncoding('utf8')
  stdin.resume()
  let text = ''
  return new Promise((resolve, reject) => {
    const end = () => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const take = (chunk: string) => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n' || character === '\u0004') {
          end()
          return resolve(text)
        }
        if (character === '\u0003') {
          end()
          return reject(interrupted('Cancelled.'))
        }
        text = character === '\u007F' || character === '\b' ? text.slice(0, -1) : text + character
      }
    }
    stdin.on('data', take)
  })
}

/** Asks for confirmation of an action that cannot be undone. */
export async function confirm(question: string, isYes: boolean | undefined): Promise<void> {
  if (isYes) return
  if (!process.stdin.isTTY)
    throw wrongUsage(`${question} There is no terminal to confirm. Add --yes if you are sure.`)
  const answer = await line(`${question} [y/N]`)
  if (!/^y(es)?$/i.test(answer)) throw interrupted('Cancelled.')
}

/** A JSON value: the text itself, `@file`, or `@-` for standard input. */
async function json(text: string): Promise<unknown> {
  return text.startsWith('@') ? jsonFile(text.slice(1)) : parsed(text, 'The value')
}

/** `-` is standard input. */
export async function jsonFile(file: string): Promise<unknown> {
  try {
    if (file === '-') return parsed(await textOf(process.stdin), 'Standard input')
    return parsed(await readFile(file, 'utf8'), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw wrongUsage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Check the name.`)
  }
}

/** Like `json`, for an object. */
export async function jsonObject(text: string): Promise<Record<string, unknown>> {
  const value = await json(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongUsage('The value must be a JSON object, for example \'{"name": "Lobby"}\', or @file.json.')
  return value as Record<string, unknown>
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`${what} is not valid JSON: ${(error as Error).message}. Correct it and try again.`)
  }
}
