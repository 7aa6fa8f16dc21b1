/** One line of the text format of Prometheus, version 0.0.4. */
export interface PrometheusSample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

const maxSamples = 100_000
const maxLabels = 64

/**
 * Parses the samples with these names; other lines are not looked at, because an exporter may have thousands. Values that are no
 * finite numbers are left out. Throws if the text is something else than metrics.
 */
export function parseMetrics(text: string, wanted: ReadonlySet<string>): PrometheusSample[] {
  const samples: PrometheusSample[] = []
  let lines = 0
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? text.length : end)
    start = end === -1 ? text.length : end + 1
    if (line === '' || line.startsWith('#')) continue
    const name = /^\s*([a-zA-Z_:][a-zA-Z0-9_:]*)/.exec(line)?.[1]
    if (name === undefined) throw notMetrics(line)
    lines += 1
    if (!wanted.has(name)) continue
    const sample = parseLine(line, name)
    if (sample) samples.push(sample)
    if (samples.length > maxSamples)
      throw new Error(`More than ${maxSamples} samples match. Name fewer metrics in the map.`)
  }
  if (lines === 0) throw new Error('The answer has no metrics. Check the URL: most exporters use /metrics.')
  return samples
}

function parseLine(line: string, name: string): PrometheusSample | undefined {
  let at = line.indexOf(name) + name.length
  // Without a prototype: a label may have any name.
  const labels = Object.create(null) as Record<string, string>
  if (line[at] === ' ' || line[at] === '\t') at = skipSpaces(line, at)
  if (line[at] === '{') at = parseLabels(line, at + 1, labels)
  // A time may follow, which is not used: the sample has the time of the reading.
  const [valueText = ''] = line.slice(at).trim().split(/\s+/)
  if (valueText === '') throw notMetrics(line)
  const value = Number(valueText)
  if (Number.isFinite(value)) return { name, labels, value }
  if (/^([+-]?Inf|NaN)$/i.test(valueText)) return undefined
  throw notMetrics(line)
}

/** Returns the position after the closing brace. */
function parseLabels(line: string, from: number, labels: Record<string, string>): number {
  let at = skipSpaces(line, from)
  for (let count = 0; line[at] !== '}'; count++) {
    const key = /^[a-zA-Z_][a-zA-Z0-9_]*/.exec(line.slice(at, at + 200))?.[0]
    if (key === undefined || count >= maxLabels) throw notMetrics(line)
    at = skipSpaces(line, at + key.length)
    if (line[at] !== '=') throw notMetrics(line)
    at = skipSpaces(line, at + 1)
    if (line[at] !== '"') throw notMetrics(line)
    const [value, next] = parseText(line, at + 1)
    labels[key] = value
    at = skipSpaces(line, next)
    if (line[at] === ',') at = skipSpaces(line, at + 1)
    else if (line[at] !== '}') throw notMetrics(line)
  }
  return at + 1
}

const escapes: Record<string, string> = { n: '\n', '"': '"', '\\': '\\' }

function parseText(line: string, from: number): [string, number] {
  let text = ''
  for (let at = from; at < line.length; at++) {
    const character = line[at] as string
    if (character === '"') return [text, at + 1]
    if (character === '\\') {
      at += 1
      text += escapes[line[at] ?? ''] ?? `\\${line[at] ?? ''}`
    } else text += character
  }
  throw notMetrics(line)
}

function skipSpaces(line: string, from: number): number {
  let at = from
  while (line[at] === ' ' || line[at] === '\t') at += 1
  return at
}

const notMetrics = (line: string) =>
  new Error(`The answer is not in the text format of Prometheus: ${JSON.stringify(line.slice(0, 80))}`)
