import { once } from 'node:events'
import type { Command } from 'commander'
import { all } from '../items.ts'
import { type Column, recordLines, tableLines } from './table.ts'

export const isJson = (command: Command): boolean =>
  command.optsWithGlobals<{ json?: boolean }>().json === true

/** Waits where the reader is slow: what it has not taken yet must not pile up here. */
export async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

export const print = (...lines: string[]): Promise<void> => write(lines.map((line) => `${line}\n`).join(''))

export const note = (line: string): void => void process.stderr.write(`${line}\n`)

export const printJson = (value: unknown): Promise<void> => print(JSON.stringify(value, null, 2))

const wholeWidth = (): number => (process.stdout.isTTY ? process.stdout.columns : Infinity)

/** A table for people, a JSON array for programs; `none` where there is nothing to list. */
export async function printList<Row>(
  command: Command,
  rows: AsyncIterable<Row> | readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): Promise<void> {
  if (isJson(command)) return printArray(rows)
  const found = await all(rows)
  if (found.length === 0) return note(none)
  await print(...tableLines(columns, found, wholeWidth()))
}

async function printArray(rows: AsyncIterable<unknown> | readonly unknown[]): Promise<void> {
  let before = '[\n  '
  for await (const row of rows) {
    await write(`${before}${JSON.stringify(row)}`)
    before = ',\n  '
  }
  await write(before.startsWith('[') ? '[]\n' : '\n]\n')
}

/** That something was done: a line for people, what was done for programs. */
export async function printDone(command: Command, value: unknown, line: string): Promise<void> {
  if (isJson(command)) await printJson(value)
  else note(line)
}

/** A record: names and values for people. */
export async function printRecord(
  command: Command,
  value: unknown,
  shown: Parameters<typeof recordLines>[0],
): Promise<void> {
  if (isJson(command)) await printJson(value)
  else await print(...recordLines(shown))
}
