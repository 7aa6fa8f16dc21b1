/** What a plot shows. How it is drawn is in page.renderer.ts. */

export interface Line {
  name: string
  colour: string
  /** Evenly spaced over the time axis. Undefined where the access point sent no telemetry: the line has a gap there. */
  values: readonly (number | undefined)[]
}

export interface Panel {
  title: string
  unit: string
  lines: readonly Line[]
  /** The value axis starts at 0 instead of near the smallest value. */
  fromZero: boolean
  /** The value axis ends here, unless a value is larger. */
  fullScale?: number
}

export interface Page {
  title: string
  subtitle: string
  columns: number
  panels: readonly Panel[]
  time: { unit: string; length: number; tickInterval: number }
}
