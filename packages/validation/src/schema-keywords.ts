export type Schema = Readonly<Record<string, unknown>>

const ANNOTATIONS = new Set(
  'title description default examples example deprecated readOnly writeOnly $id $comment'.split(' '),
)

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Throws on keywords that would not be enforced, and on hidden properties of TypeBox. */
export function assertKeywords(schema: Schema, where: string, known: readonly string[]): void {
  for (const hidden of ['~refine', '~codec']) {
    if (Object.hasOwn(schema, hidden)) throw new Error(`Unsupported ${hidden}: ${where}`)
  }
  for (const keyword of Object.keys(schema)) {
    if (known.includes(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) continue
    throw new Error(`Unsupported keyword ${keyword}: ${where}`)
  }
}

export function numberKeyword(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword]
  // Bounds appear in messages, and Python writes them without exponents.
  if (value === undefined || (typeof value === 'number' && !String(value).includes('e'))) return value
  throw new Error(`Unsupported value of ${keyword}`)
}

export function textKeyword(schema: Schema, keyword: string): string | undefined {
  const value = schema[keyword]
  if (value === undefined || typeof value === 'string') return value
  throw new Error(`Unsupported value of ${keyword}`)
}
