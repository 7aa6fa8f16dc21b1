import type { KeyCount } from '../../data-keys.ts'

export interface KeyIds {
  current: string
  next: string | undefined
  previous: string | undefined
}

export interface KeyStatus {
  tokenKeys: KeyIds
  dataKeys: KeyIds
  longestTokenS: number
  resetTokenS: number
  uses: readonly DataUse[]
}

interface DataUse {
  name: string
  /** Otherwise its rows expire. */
  isReencryptable: boolean
  counts: readonly KeyCount[]
}

/** The output of `manc-server keys status`. */
export function statusText(status: KeyStatus): string {
  return [
    `Token key: ${idsText(status.tokenKeys)}`,
    `Data key:  ${idsText(status.dataKeys)}`,
    '',
    ...table(status.uses),
    '',
    ...advice(status),
  ].join('\n')
}

const idsText = ({ current, next, previous }: KeyIds): string =>
  [
    current,
    ...(next === undefined ? [] : [`next ${next}`]),
    ...(previous === undefined ? [] : [`previous ${previous}`]),
  ].join(', ')

function table(uses: readonly DataUse[]): string[] {
  const rows = uses.flatMap(({ name, counts }) =>
    counts.map(({ keyId = 'unknown', rows: n, until }) => [
      name,
      keyId,
      String(n),
      until?.toISOString() ?? '',
    ]),
  )
  if (rows.length === 0) return ['No stored data depends on the data key.']
  const lines = [['data', 'key', 'rows', 'expires'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** What to do next, one sentence per line. */
function advice(status: KeyStatus): string[] {
  const { tokenKeys, dataKeys, longestTokenS } = status
  const lines = [...nextAdvice('MANC_TOKEN_KEY', tokenKeys), ...nextAdvice('MANC_DATA_KEY', dataKeys)]
  if (tokenKeys.previous !== undefined)
    lines.push(
      `MANC_TOKEN_KEY_PREVIOUS can be removed ${longestTokenS} s after the last process was started with the new MANC_TOKEN_KEY.`,
    )
  lines.push(...dataAdvice(status))
  return lines.length === 0 ? ['No rotation is in progress.'] : lines
}

const nextAdvice = (name: string, { next }: KeyIds): string[] =>
  next === undefined
    ? []
    : [
        `${name}_NEXT is accepted, not used. When every process accepts it, make it ${name}, and the present key ${name}_PREVIOUS.`,
      ]

function dataAdvice({ dataKeys, uses, resetTokenS }: KeyStatus): string[] {
  const encrypted = uses.filter(({ isReencryptable }) => isReencryptable).flatMap(({ counts }) => counts)
  const unreadable = rowsOf(encrypted.filter(({ keyId }) => keyId === undefined))
  const outdated = rowsOf(encrypted.filter(({ keyId }) => keyId !== undefined && keyId !== dataKeys.current))
  const lines: string[] = []
  if (unreadable > 0)
    lines.push(
      `${unreadable} rows are encrypted with a key that is not in the settings. Set that key as MANC_DATA_KEY_PREVIOUS.`,
    )
  // Before the swap, rows under the next key are of replicas that use it already.
  if (outdated > 0 && dataKeys.next === undefined)
    lines.push(
      `${outdated} rows are not encrypted with MANC_DATA_KEY. When every process has it, run: manc-server keys rotate`,
    )
  if (dataKeys.previous === undefined || outdated > 0) return lines
  const expiring = uses
    .filter(({ isReencryptable }) => !isReencryptable)
    .flatMap(({ name, counts }) => counts.map((count) => ({ name, ...count })))
    .filter(({ keyId }) => keyId === dataKeys.previous || keyId === undefined)
  for (const { name, rows, until } of expiring)
    lines.push(
      `${name}: ${rows} may need MANC_DATA_KEY_PREVIOUS until ${until?.toISOString()}. They stop working if it is removed earlier.`,
    )
  if (expiring.length === 0)
    lines.push(
      `MANC_DATA_KEY_PREVIOUS can be removed ${resetTokenS} s after the last process was started with the new MANC_DATA_KEY.`,
    )
  return lines
}

const rowsOf = (counts: readonly KeyCount[]): number => counts.reduce((sum, { rows }) => sum + rows, 0)

/** Whether all rows that can be re-encrypted are under the current key. */
export const isReencrypted = ({ dataKeys, uses }: KeyStatus): boolean =>
  uses.every(
    ({ isReencryptable, counts }) =>
      !isReencryptable || counts.every(({ keyId }) => keyId === dataKeys.current),
  )
