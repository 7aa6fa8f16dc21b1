/** Each connection of the database keeps its prepared statements in memory: further statements are planned every time. */
const maxStatements = 300
const names = new Map<string, string>()

/**
 * The parameters of `query`, with a name for a statement that has values: each connection plans it once, on first use.
 * Planning a short statement costs more than running it.
 */
export function withStatementName(parameters: unknown[]): unknown[] {
  const [text, values] = parameters
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return parameters
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= maxStatements) return parameters
    name = `statement ${names.size + 1}`
    names.set(text, name)
  }
  return [{ name, text, values }]
}
