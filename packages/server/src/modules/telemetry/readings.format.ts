/** A series of a reply; its points are JSON text. */
export interface SeriesText {
  metric: string
  points: string
}

/** A line of the store's export, split but not parsed: the numbers stay text. */
export interface RawSeries {
  metric: string
  times: string
  values: string
}

const head = '{"metric":'
const beforeValues = ',"values":['
const beforeTimes = '],"timestamps":['

export function readExport(text: string): RawSeries[] {
  const series: RawSeries[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    series.push(readLine(text.slice(at, end < 0 ? text.length : end)))
    if (end < 0) break
    at = end + 1
  }
  return series
}

/** Only numbers follow the labels: the last separators in the line are the right ones, whatever a label contains. */
function readLine(line: string): RawSeries {
  const timesAt = line.lastIndexOf(beforeTimes)
  const valuesAt = line.lastIndexOf(beforeValues, timesAt)
  const labels: { __name__?: string } = JSON.parse(line.slice(head.length, valuesAt))
  return {
    metric: labels.__name__ ?? '',
    times: line.slice(timesAt + beforeTimes.length, -']}'.length),
    values: line.slice(valuesAt + beforeValues.length, timesAt),
  }
}

export function countOf({ times }: RawSeries): number {
  let count = times === '' ? 0 : 1
  for (let at = times.indexOf(','); at >= 0; at = times.indexOf(',', at + 1)) count++
  return count
}

/** Writes points. The metrics of a sample share its time: equal times of consecutive series are formatted once. */
export class PointWriter {
  #times = ''
  #heads: string[] = []

  write({ metric, times, values }: RawSeries): SeriesText {
    if (times !== this.#times) {
      this.#times = times
      this.#heads = times.split(',').map((ms) => headOf(Number(ms)))
    }
    const heads = this.#heads
    const texts = values.split(',')
    let points = ''
    for (let n = 0; n < texts.length; n++) {
      const value = texts[n] ?? ''
      if (isNumber(value)) points += `${points === '' ? '' : '},'}${heads[n]}${value}`
    }
    return { metric, points: points === '' ? '[]' : `[${points}}]` }
  }
}

/** Depending on its version, the store writes other values as `-Inf`, `null` or `"Infinity"`: none ends in a digit. */
function isNumber(value: string): boolean {
  const last = value.charCodeAt(value.length - 1)
  return last >= zero && last <= nine
}

const zero = 48
const nine = 57

export function writePoint(ms: number, value: number): string {
  return `${headOf(ms)}${value}}`
}

const headOf = (ms: number): string => `{"ts":"${isoTime(ms)}","value":`

const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const three = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))
let day = Number.NaN
let dayText = ''
let minute = Number.NaN
let minuteText = ''

/** `toISOString` for dates from 1970 to 9999. Faster for ordered points: day and minute are reused from the last call. */
export function isoTime(ms: number): string {
  const ofMs = Math.floor(ms / 60_000)
  if (ofMs !== minute) {
    minute = ofMs
    const dayOf = Math.floor(minute / 1440)
    if (dayOf !== day) {
      day = dayOf
      dayText = new Date(day * 86_400_000).toISOString().slice(0, 'yyyy-mm-ddT'.length)
    }
    const inDay = minute - day * 1440
    minuteText = `${dayText}${two[Math.floor(inDay / 60)]}:${two[inDay % 60]}:`
  }
  const inMinute = ms - minute * 60_000
  return `${minuteText}${two[Math.floor(inMinute / 1000)]}.${three[inMinute % 1000]}Z`
}
