import type { AttachedClient } from '@manc/sdk/agent'
import Type from 'typebox'
import { runTool } from '../run-tool.ts'
import { driverKind, type Reading, type Readings } from './driver.ts'

const maxBytes = 1_048_576
/** The time limit of a reading ends it earlier. */
const maxRunMs = 300_000
const maxReadings = 256
const maxClients = 5000

/**
 * A program that reads the device and prints the values: one JSON object, or lines of `name=value`. A member `clients` that is
 * a list has the attached clients. Commands are those of `commands` of the access point.
 */
export const shell = driverKind({
  name: 'shell',
  schema: Type.Object(
    {
      driver: Type.Literal('shell'),
      run: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'the absolute path of a program that prints the readings, and its arguments: ["/usr/local/bin/read-ap", "192.0.2.7"]',
      }),
    },
    { additionalProperties: false },
  ),
  describe: ({ run }) => run[0] ?? '',
  resolve: (options, path) => ({
    options,
    files: [],
    problems: options.run[0]?.startsWith('/')
      ? []
      : [`${path}.run is invalid. Write the absolute path of the program first: ["/usr/local/bin/read-ap"]`],
  }),
  open: ({ run }) => ({
    commands: {},
    async read(signal) {
      const { code, output, isCut } = await runTool(run, {
        signal,
        timeoutMs: maxRunMs,
        maxBytes,
        withErrors: false,
      })
      if (code === null) throw new Error(`${run[0]} did not end in time and was killed.`)
      if (code !== 0) throw new Error(`${run[0]} exited with code ${code}. Run it by hand to see why.`)
      if (isCut) throw new Error(`${run[0]} printed more than 1 MiB. Print the readings only.`)
      return parseReadings(output)
    },
    close: () => {},
  }),
})

/** Throws if the text has no reading at all, and names what is wrong. */
export function parseReadings(text: string): Reading {
  const trimmed = text.trim()
  const values = trimmed.startsWith('{') ? parseObject(trimmed) : parseLines(trimmed)
  const { clients, ...others } = values
  const listed = Array.isArray(clients) ? clients.slice(0, maxClients).flatMap(clientOf) : undefined
  const readings: Readings = {}
  // A list of clients is also their number.
  if (clients !== undefined) others['clients'] = listed ? listed.length : clients
  for (const [name, value] of Object.entries(others)) {
    if (name === '' || name.length > 128) continue
    if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)))
      readings[name] = value
  }
  const count = Object.keys(readings).length
  if (count === 0)
    throw new Error('The program printed no readings. Print {"load_pct": 12} or lines like load_pct=12.')
  if (count > maxReadings) throw new Error(`The program printed ${count} readings. A sample has at most 256.`)
  return { readings, ...(listed && { clients: listed }) }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new Error(`The program printed an object that is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function parseLines(text: string): Record<string, unknown> {
  const entries = text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*([^\s=#]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined || value === '') return []
    const number = Number(value)
    return [[name, Number.isFinite(number) ? number : value.slice(0, 1000)] as const]
  })
  return Object.fromEntries(entries)
}

const numberFields = ['signal_dbm', 'snr_db', 'rate_mbps'] as const

function clientOf(entry: unknown): AttachedClient[] {
  if (typeof entry === 'string') return entry === '' || entry.length > 128 ? [] : [{ client: entry }]
  const members = (entry ?? {}) as Record<string, unknown>
  const { client, since } = members
  if (typeof client !== 'string' || client === '' || client.length > 128) return []
  const found: AttachedClient = { client }
  if (typeof since === 'string' && Number.isFinite(Date.parse(since)))
    found.since = new Date(since).toISOString()
  for (const name of numberFields) {
    const value = members[name]
    if (typeof value === 'number' && Number.isFinite(value)) found[name] = value
  }
  return [found]
}
