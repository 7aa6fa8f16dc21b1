/** Finds SQL in TypeScript source: which tables it writes, and which queries it contains. Comments are not SQL. */
import ts from 'typescript'

export interface SqlUsage {
  /** `write`: changes rows of `table`. `query`: any other use of SQL or of the query builder. */
  kind: 'write' | 'query'
  /** Undefined where the text does not name it, as in `insert into ${name}`. */
  table?: string
  line: number
}

const name = String.raw`(?:"?\w+"?\.)?"?(\w+|\$\{\})"?`
/** Where a statement begins; elsewhere "update" and "truncate" are words of a sentence. */
const begin = String.raw`(?<=^\s*|[();\n]\s*)`
const writePatterns = [
  String.raw`\binsert\s+into\s+${name}`,
  String.raw`\bmerge\s+into\s+(?:only\s+)?${name}`,
  String.raw`\bdelete\s+from\s+(?:only\s+)?${name}`,
  String.raw`${begin}truncate\s+(?:table\s+)?(?:only\s+)?${name}`,
  String.raw`\bcopy\s+${name}\s*(?:\([^)]*\)\s*)?from\s+(?:stdin|program|'|\$)`,
  // `do update set` and `for update` name no table.
  String.raw`${begin}update\s+(?:only\s+)?(?!set\b)${name}(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b`,
].map((pattern) => new RegExp(pattern, 'gi'))

/** "Select" begins sentences as well. */
const queryPattern =
  /^\s*(?:(?:select|SELECT)\s(?:[\s\S]*\s(?:from|FROM)\s|\s*[\w.]+\()|[Ww][Ii][Tt][Hh]\s+\w+\s+[Aa][Ss]\s*\(|(?:create|alter|drop)\s+(?:table|index)\s)/

const builderWrites = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto'])
/** Functions that write the table of their second argument. */
const writeFunctions = new Set(['deleteInBatches'])
const builderReads = new Set(['selectFrom', 'selectNoFrom'])

export function sqlUsageOf(source: string): SqlUsage[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const found: SqlUsage[] = []
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1

  const readText = (node: ts.Node, text: string) => {
    const sql = text.replaceAll(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
    const start = lineAt(node.getStart(file))
    const before = found.length
    for (const pattern of writePatterns)
      for (const match of sql.matchAll(pattern)) {
        const line = start + sql.slice(0, match.index).split('\n').length - 1
        found.push({ kind: 'write', ...tableIn(match[1]), line })
      }
    if (found.length === before && (isTagged(node) || queryPattern.test(sql)))
      found.push({ kind: 'query', line: start })
  }

  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      writeFunctions.has(node.expression.text)
    )
      found.push({
        kind: 'write',
        ...tableOf(node.arguments[1]),
        line: lineAt(node.expression.getStart(file)),
      })
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name.text
      const line = lineAt(node.expression.name.getStart(file))
      if (builderWrites.has(method)) found.push({ kind: 'write', ...tableOf(node.arguments[0]), line })
      else if (builderReads.has(method)) found.push({ kind: 'query', line })
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) readText(node, node.text)
    else if (ts.isTemplateExpression(node)) readText(node, textOf(node, source))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const isTagged = ({ parent }: ts.Node): boolean =>
  ts.isTaggedTemplateExpression(parent) && isSqlTag(parent.tag)

const isSqlTag = (tag: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(tag) ? isSqlTag(tag.expression) : ts.isIdentifier(tag) && tag.text === 'sql'

/** With `${}` in the place of each expression, and as many line breaks as the source has. */
const textOf = (node: ts.TemplateExpression, source: string): string =>
  node.head.text +
  node.templateSpans
    .map(({ expression, literal }) => {
      const breaks = source.slice(expression.getFullStart(), literal.getStart()).split('\n').length - 1
      return `\${}${'\n'.repeat(breaks)}${literal.text}`
    })
    .join('')

const tableIn = (text: string | undefined): { table?: string } =>
  text === undefined || text === '${}' ? {} : { table: text.toLowerCase() }

/** Of a query builder's argument: `'users'` or `'users as u'`. */
const tableOf = (argument: ts.Expression | undefined): { table?: string } =>
  argument && ts.isStringLiteralLike(argument) ? tableIn(/^\w+/.exec(argument.text)?.[0]) : {}
