/** Adds lines at the end of a block that starts with `start` and ends with the first closing bracket on its indentation. */
export function addTo(text: string, start: string, lines: string): string {
  const from = text.indexOf(start)
  if (from === -1) throw new Error(`There is no "${start}" to add to. Adapt tools/new/operation.ts.`)
  const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', from) + 1))?.[0] ?? ''
  const end = new RegExp(`^${indent}[}\\]]`, 'm').exec(text.slice(from + start.length))
  if (!end) throw new Error(`The block "${start}" has no end. Adapt tools/new/operation.ts.`)
  const at = from + start.length + end.index
  return text.slice(0, at) + lines + text.slice(at)
}

/** Adds lines before the line that starts with `next`. */
export function addBefore(text: string, next: string, lines: string): string {
  const at = text.startsWith(next) ? 0 : text.indexOf(`\n${next}`) + 1
  if (at === 0 && !text.startsWith(next))
    throw new Error(`There is no line "${next}". Adapt tools/new/operation.ts.`)
  return text.slice(0, at) + lines + text.slice(at)
}
