import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { interrupted, wrongUsage } from './failure.ts'

let lines: string[] | undefined

/** The next line of what is piped in: several secrets may come this way, one a line. */
export function pipedLine(what: string): string {
  if (process.stdin.isTTY) throw wrongUsage(`${what} is to come from standard input. Pipe it in.`)
  lines ??= readFileSync(0, 'utf8').split(/\r?\n/)
  const next = lines.shift()
  if (!next) throw wrongUsage(`There is no ${what} on standard input. Pipe it in, on a line of its own.`)
  return next
}

/** Asked for on a terminal without showing it, or taken from standard input; never an argument, which others can see. */
export async function secret(
  what: string,
  { isPiped = false, isNew = false }: { isPiped?: boolean | undefined; isNew?: boolean } = {},
): Promise<string> {
  if (isPiped || !process.stdin.isTTY) return pipedLine(what)
  const text = await hidden(`${what}: `)
  if (isNew && (await hidden('The same once more: ')) !== text)
    throw wrongUsage('These were not the same. Nothing was changed; try again.')
  if (text === '') throw wrongUsage(`Without a ${what} there is nothing to do.`)
  return text
}

export async function line(what: string): Promise<string> {
  const readline = createInterface({ input: process.stdin, output: process.stderr })
  readline.once('SIGINT', () => readline.close())
  try {
    return (await readline.question(`${what}: `, { signal: closing(readline) })).trim()
  } catch {
    throw interrupted('Nothing was done.')
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
  stderr.write(prompt)
  stdin.setRawMode(true)
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
          return reject(interrupted('Nothing was done.'))
        }
        text = character === '\u007F' || character === '\b' ? text.slice(0, -1) : text + character
      }
    }
    stdin.on('data', take)
  })
}

/** Asks before something that cannot be undone. */
export async function confirm(question: string, isYes: boolean | undefined): Promise<void> {
  if (isYes) return
  if (!process.stdin.isTTY)
    throw wrongUsage(`${question} Nobody is there to be asked: add --yes if you are sure.`)
  const answer = await line(`${question} [y/N]`)
  if (!/^y(es)?$/i.test(answer)) throw interrupted('Nothing was done.')
}

/** A JSON value: the text itself, `@file`, or `@-` for standard input. */
function json(text: string): unknown {
  return text.startsWith('@') ? jsonFile(text.slice(1)) : parsed(text, 'This')
}

/** `-` is standard input. */
export function jsonFile(file: string): unknown {
  try {
    return parsed(readFileSync(file === '-' ? 0 : file, 'utf8'), file === '-' ? 'What was piped in' : file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw wrongUsage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Check the name.`)
  }
}

/** As `json`, and an object. */
export function jsonObject(text: string): Record<string, unknown> {
  const value = json(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongUsage('A JSON object is needed here, for example \'{"name": "Lobby"}\', or @file.json.')
  return value as Record<string, unknown>
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`${what} is no JSON: ${(error as Error).message}. Correct it and try again.`)
  }
}
