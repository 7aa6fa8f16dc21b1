import { once } from 'node:events'
import type { Command } from 'commander'
import { all } from '../items.ts'
import { type Column, recordLines, tableLines } from './table.ts'

export const isJson = (command: Command): boolean =>
  command.optsWithGlobals<{ json?: boolean }>().json === true

/** Waits for a slow reader, so that output does not accumulate in memory. */
export async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

export const print = (...lines: string[]): Promise<void> => write(lines.map((line) => `${line}\n`).join(''))

export const printNotice = (line: string): void => void process.stderr.write(`${line}\n`)

export const printJson = (value: unknown): Promise<void> => print(JSON.stringify(value, null, 2))

const wholeWidth = (): number => (process.stdout.isTTY ? process.stdout.columns : Infinity)

/** A table, or a JSON array with --json. Prints `none` to standard error if the list is empty. */
export async function printList<Row>(
  command: Command,
  rows: AsyncIterable<Row> | readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): Promise<void> {
  if (isJson(command)) return printArray(rows)
  const found = await all(rows)
  if (found.length === 0) return printNotice(none)
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

/** Confirms an action: a line on standard error, or the result as JSON with --json. */
export async function printDone(command: Command, value: unknown, line: string): Promise<void> {
  if (isJson(command)) await printJson(value)
  else printNotice(line)
}

/** A record: names and values, or JSON with --json. */
export async function printRecord(
  command: Command,
  value: unknown,
  shown: Parameters<typeof recordLines>[0],
): Promise<void> {
  if (isJson(command)) await printJson(value)
  else await print(...recordLines(shown))
}
