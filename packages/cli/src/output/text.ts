import { stripVTControlCharacters } from 'node:util'

const wide =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uFF01-\uFF60]/u
const mark = /\p{Mark}/u

/** Width of a text on a terminal, in columns. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(text))
    if (!mark.test(character)) width += wide.test(character) ? 2 : 1
  return width
}

/** Removes control sequences from text of other users. */
export const clean = (text: string): string => stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, ' ')

export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const character of stripVTControlCharacters(text)) {
    if (widthOf(cut + character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padLeft = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** `1 sample`, `2 samples`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** About 3 significant digits. */
export function figure(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toPrecision(3)
  return String(Number(value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3)))
}

const units: [number, string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
  [1, 's'],
]

/** A duration in its two largest units. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const first = units.findIndex(([size]) => whole >= size)
  if (first === -1) return '0s'
  const [size = 1, unit = 's'] = units[first] ?? []
  const [next, nextUnit] = units[first + 1] ?? []
  const rest = next === undefined ? 0 : Math.floor((whole % size) / next)
  return `${Math.floor(whole / size)}${unit}${rest > 0 ? `${rest}${nextUnit}` : ''}`
}

export const ago = (time: string | null): string =>
  time === null ? '' : `${span((Date.now() - Date.parse(time)) / 1000)} ago`
