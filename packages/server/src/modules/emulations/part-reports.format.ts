import type { PartReport } from '@manc/contract/emulation-parts'
import { isUuid } from '../../ids.ts'

/** A part report as it was received. Counts that are missing or invalid are 0. */
export interface ReceivedReport {
  part: number
  emulator: string
  state: 'running' | 'finished'
  /** The first report of an emulator that has just taken the part. */
  isFirst: boolean
  /** JSON text of an object with the figures, without the counts. */
  figures: string
  /** Since the emulator has taken the part. */
  samples: number
  commands: number
}

const maxPart = 1_000_000
/** A report in which one of these differs changes the part. */
const figureNames = [
  'agents',
  'live',
  'most_live',
  'failed',
  'time_to_full_s',
] as const satisfies readonly (keyof PartReport)[]

/** Undefined where the item is no part report. */
export function parsePartReport(item: unknown): ReceivedReport | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const { part, emulator, state, ...counts } = item as { [Name in keyof PartReport]?: unknown }
  if (typeof part !== 'number' || !Number.isSafeInteger(part) || part < 0 || part > maxPart) return undefined
  if (typeof emulator !== 'string' || !isUuid(emulator)) return undefined
  const isFinished = state === 'finished'
  return {
    part,
    emulator,
    state: isFinished ? 'finished' : 'running',
    isFirst: state === 'starting',
    figures: JSON.stringify({
      emulator,
      isFinished,
      ...Object.fromEntries(figureNames.map((name) => [name, countOf(counts[name])])),
    }),
    samples: countOf(counts.samples),
    commands: countOf(counts.commands),
  }
}

/** A count from outside: 0 where it is not a positive number. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0
