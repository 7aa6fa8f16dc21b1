/** The last full-screen picture, and the lines that stay on the terminal. */
interface Seen {
  picture: string[]
  stays: string[]
}

interface Paper {
  /** In full-screen mode. */
  isWhole: boolean
  lines: string[]
  row: number
  column: number
}

const blank = (isWhole: boolean): Paper => ({ isWhole, lines: [''], row: 0, column: 0 })

/** Interprets the output of a program like a terminal. Lines are not wrapped. */
export function seenOn(sent: string): Seen {
  let paper = blank(false)
  let below = paper
  let picture: string[] = []
  for (const [part, isPrivate, count, code] of sent.matchAll(
    // oxlint-disable-next-line no-control-regex
    /\u001B\[(\??)([\d;]*)([A-Za-z])|\r|\n|[^\u001B\r\n]+/g,
  )) {
    if (part === '\r') paper.column = 0
    else if (part === '\n') moveTo(paper, paper.row + 1)
    else if (code === undefined) put(paper, part)
    else if (isPrivate === '?' && count === '1049') {
      if (code === 'h') [below, paper] = [paper, blank(true)]
      else [picture, paper] = [paper.lines, below]
    } else if (isPrivate === '' && code !== 'm') steer(paper, code, count ?? '')
  }
  return paper.isWhole ? { picture: paper.lines, stays: below.lines } : { picture, stays: paper.lines }
}

function steer(paper: Paper, code: string, text: string): void {
  const count = Number(text || 1)
  const { lines, row, column } = paper
  if (code === 'A') moveTo(paper, row - count)
  else if (code === 'G') paper.column = count - 1
  else if (code === 'H') Object.assign(paper, { row: 0, column: 0 })
  else if (code === 'K' || code === 'J') {
    lines[row] = (lines[row] ?? '').slice(0, column)
    if (code === 'J') lines.length = row + 1
  } else throw new Error(`unsupported control sequence ${text}${code}`)
}

function moveTo(paper: Paper, row: number): void {
  paper.row = Math.max(0, row)
  while (paper.lines.length <= paper.row) paper.lines.push('')
}

function put(paper: Paper, text: string): void {
  const line = (paper.lines[paper.row] ?? '').padEnd(paper.column)
  paper.lines[paper.row] = line.slice(0, paper.column) + text + line.slice(paper.column + text.length)
  paper.column += text.length
}
