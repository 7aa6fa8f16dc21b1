import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WrongSettings } from './settings.ts'
import type { Source } from './source.ts'

/** The sources of modules that the settings name, or that are in folders which they name. */
export async function loadPlugins(places: readonly string[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const file of places.flatMap(filesOf)) {
    const module = await load(file)
    if (!isSource(module['source']))
      throw new WrongSettings(
        `plugins: ${file} exports no source. Export one: export const source = { name, probe(), read() }`,
      )
    sources.push(module['source'])
  }
  return sources
}

async function load(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    throw new WrongSettings(`plugins: ${file} cannot be loaded: ${(error as Error).message}`)
  }
}

function filesOf(place: string): string[] {
  const absolute = path.resolve(place)
  let isFolder: boolean
  try {
    isFolder = statSync(absolute).isDirectory()
  } catch {
    throw new WrongSettings(`plugins: ${place} is not there. Name a file or a folder.`)
  }
  if (!isFolder) return [absolute]
  const names = readdirSync(absolute).filter((name) => /\.(ts|mjs|js)$/.test(name) && !name.endsWith('.d.ts'))
  return names.sort().map((name) => path.join(absolute, name))
}

function isSource(value: unknown): value is Source {
  const { name, probe, read } = (value ?? {}) as Partial<Source>
  return typeof name === 'string' && typeof probe === 'function' && typeof read === 'function'
}
