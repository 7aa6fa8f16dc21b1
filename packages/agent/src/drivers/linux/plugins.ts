import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { InvalidSettings } from '../../settings/invalid-settings.ts'
import type { Source } from './source.ts'

/** Loads the sources from the files and folders that the settings list. */
export async function loadPlugins(paths: readonly string[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const file of paths.flatMap(filesOf)) {
    const module = await load(file)
    if (!isSource(module['source']))
      throw new InvalidSettings(
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
    throw new InvalidSettings(`plugins: ${file} cannot be loaded: ${(error as Error).message}`)
  }
}

function filesOf(plugin: string): string[] {
  const absolute = path.resolve(plugin)
  let isFolder: boolean
  try {
    isFolder = statSync(absolute).isDirectory()
  } catch {
    throw new InvalidSettings(`plugins: ${plugin} does not exist. Name a file or a folder.`)
  }
  if (!isFolder) return [absolute]
  const names = readdirSync(absolute).filter((name) => /\.(ts|mjs|js)$/.test(name) && !name.endsWith('.d.ts'))
  return names.sort().map((name) => path.join(absolute, name))
}

function isSource(value: unknown): value is Source {
  const { name, probe, read } = (value ?? {}) as Partial<Source>
  return typeof name === 'string' && typeof probe === 'function' && typeof read === 'function'
}
