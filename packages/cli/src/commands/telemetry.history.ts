import { open } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import type { HistoryPoint } from '@manc/sdk'
import type { Command } from 'commander'
import { moment } from '../arguments.ts'
import { Failure } from '../failure.ts'
import { printNotice, write } from '../output/print.ts'
import { Progress } from '../output/progress.ts'
import { counted } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Options {
  from?: Date
  to?: Date
  format: 'csv' | 'json' | 'ndjson'
  output?: string
}

interface Format {
  head: string
  line: (point: HistoryPoint, isFirst: boolean) => string
  foot: (isEmpty: boolean) => string
}

const formats: Record<Options['format'], Format> = {
  csv: {
    head: 'time,field,value\n',
    line: ({ time, field, value }) => `${time},${quoted(field)},${value}\n`,
    foot: () => '',
  },
  ndjson: { head: '', line: (point) => `${JSON.stringify(point)}\n`, foot: () => '' },
  json: {
    head: '[',
    line: (point, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(point)}`,
    foot: (isEmpty) => (isEmpty ? ']\n' : '\n]\n'),
  },
}

/** Lines are written in batches to save system calls. */
const batchLength = 64 * 1024
const progressIntervalMs = 200

export async function streamHistory(apId: string, options: Options, command: Command): Promise<void> {
  // Streams create much short-lived garbage; without this flag V8 lets the heap grow before it collects.
  setFlagsFromString('--optimize-for-size')
  const manc = await connect(command)
  const isJson = command.optsWithGlobals<{ json?: boolean }>().json
  const { head, line, foot } = formats[isJson ? 'json' : options.format]
  const { from = moment('1h'), to, output } = options
  const points = manc.telemetry.history(apId, { from, ...(to && { to }) })
  // Requested before the file is created, so that a wrong name leaves no file behind.
  const first = await points.next()
  const sink = await openSink(output)
  const progress = new Progress()
  let count = 0
  let text = head
  let drawnAt = Date.now()
  for (let { value, done } = first; !done; { value, done } = await points.next()) {
    text += line(value as HistoryPoint, count++ === 0)
    if (text.length < batchLength) continue
    await sink.write(text)
    text = ''
    if (Date.now() - drawnAt < progressIntervalMs) continue
    drawnAt = Date.now()
    if (output !== undefined || !process.stdout.isTTY)
      progress.draw(`${count} values, up to ${(value as HistoryPoint).time}`)
  }
  progress.clear()
  await sink.write(text + foot(count === 0))
  await sink.close()
  printNotice(`${counted(count, 'value')}.${count === 0 ? ' Try an earlier start with --from 1d.' : ''}`)
}

interface Sink {
  write: (text: string) => Promise<void>
  close: () => Promise<void>
}

/** Waits for each write, so that output does not accumulate in memory. */
async function openSink(file: string | undefined): Promise<Sink> {
  if (file === undefined) return { write, close: async () => {} }
  const failed = (error: unknown) =>
    new Failure(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}). Choose another --output.`,
    )
  try {
    const handle = await open(file, 'w')
    return {
      write: (text) => handle.appendFile(text).catch((error) => Promise.reject(failed(error))),
      close: () => handle.close(),
    }
  } catch (error) {
    throw failed(error)
  }
}

const quoted = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)
