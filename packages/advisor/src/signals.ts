import type { Technology } from './view.types.ts'

interface Range {
  /** Below it there is no connection, */
  min: number
  /** at it a connection is reliable while people move, */
  safe: number
  /** and above it more signal does not help. */
  best: number
}

/**
 * Signals of technologies on one scale: RSRP of 5G and RSSI of WiFi in dBm, SNR of LiFi in dB. The lowest values are the
 * sensitivity of the lowest schemes (802.11ax-2021 table 27-51, TS 38.133), the highest those from which rates grow no more.
 */
export const signals: Record<Technology, Range> = {
  '5G': { min: -118, safe: -110, best: -80 },
  WiFi: { min: -82, safe: -74, best: -50 },
  LiFi: { min: 5, safe: 12, best: 36 },
}

/** 0 at the lowest usable signal, 1 at the best. */
export function qualityOf(technology: Technology, signal: number): number {
  const { min, best } = signals[technology]
  return Math.min(1, Math.max(0, (signal - min) / (best - min)))
}
