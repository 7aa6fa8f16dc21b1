import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { problemsOf } from '../../settings/problems.ts'

interface MapFile {
  map: unknown
  files: string[]
  problems: string[]
}

/** A ready-made map by its name, or the file of one by its path. */
export function readMap(
  named: string,
  path: string,
  { ready, schema }: { ready: Readonly<Record<string, unknown>>; schema: TSchema },
): MapFile {
  const choice = `Write one of ${Object.keys(ready).join(', ')}, or the path of a file: "/etc/manc-agent/my-map.json"`
  if (Object.hasOwn(ready, named)) return { map: ready[named], files: [], problems: [] }
  if (!named.includes('/')) return { map: undefined, files: [], problems: [`${path} is invalid. ${choice}`] }
  let map: unknown
  try {
    map = JSON.parse(readFileSync(named, 'utf8'))
  } catch (error) {
    return {
      map: undefined,
      files: [named],
      problems: [`${path}: ${named} cannot be read: ${(error as Error).message}. ${choice}`],
    }
  }
  return { map, files: [named], problems: problemsOf(schema, map, '').map((line) => `${named}: ${line}`) }
}
