import { readFileSync } from 'node:fs'
import { isObject, type Json } from '../json.ts'

const maxBytes = 1_048_576

/** Configurations that the command `configure` may apply, with the content of their files. */
export function readConfigurations(
  files: Readonly<Record<string, string>>,
  path: string,
): { documents: Record<string, Json>; problems: string[] } {
  const documents: Record<string, Json> = {}
  const problems: string[] = []
  for (const [name, file] of Object.entries(files)) {
    const at = `${path}.${name}`
    if (!/^[\w-]{1,64}$/.test(name))
      problems.push(`${at} is not a valid name. Write letters, digits, "_" and "-", at most 64.`)
    try {
      const text = readFileSync(file, 'utf8')
      const document = parsed(text)
      if (document === undefined)
        problems.push(`${at}: ${file} is not valid JSON. Write a configuration of uCentral there.`)
      else if (!isObject(document) || text.length > maxBytes)
        problems.push(
          `${at}: ${file} is no JSON object of at most 1 MiB. Write a configuration of uCentral there.`,
        )
      else documents[name] = document
    } catch (error) {
      problems.push(
        `${at}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Write the path of a configuration of uCentral, as JSON.`,
      )
    }
  }
  return { documents, problems }
}

/** Undefined if it is not JSON. The error quotes the text, which contains passwords. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
