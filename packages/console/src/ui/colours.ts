import type { Technology } from '@manc/sdk'

export type Scheme = 'light' | 'dark'

/** Buttons, links and focus, from light to dark. White text is readable on the seventh. */
export const brand = [
  '#eaf2ff',
  '#d2e3ff',
  '#a8c8ff',
  '#7aabff',
  '#5794fb',
  '#3f83f4',
  '#2468d8',
  '#1b54b3',
  '#14428f',
  '#0d306c',
] as const

interface Colours {
  /** Shapes, lines and bars. */
  technology: Record<Technology, string>
  /** Text, shapes and lines of what needs attention. */
  alarm: { bad: string; degraded: string }
  /** On a map that is coloured by health, beside those of alarms. */
  health: { good: string; offline: string; unknown: string }
  /** From no load to full load, each with an outline. */
  load: readonly string[]
  /** Text of less importance. */
  dimmed: string
  /** Body of the page, land and sea of the map. */
  backgrounds: { page: string; land: string; sea: string }
}

/**
 * No technology looks like an alarm or like a button, for people with deuteranopia too: `colours.test.ts` measures it. They
 * differ in lightness as well as in hue.
 */
export const colours: Record<Scheme, Colours> = {
  light: {
    technology: { '5G': '#5b1a9e', WiFi: '#15806f', LiFi: '#9a8700', other: '#454d59' },
    alarm: { bad: '#c81e4a', degraded: '#834000' },
    health: { good: '#2f7fb0', offline: '#454d59', unknown: '#7a828c' },
    load: ['#cfe0f0', '#95bfdf', '#5594c4', '#25639f', '#0a2d5e'],
    dimmed: '#56606d',
    backgrounds: { page: '#ffffff', land: '#f8f9f7', sea: '#e9eef3' },
  },
  dark: {
    technology: { '5G': '#e6a4ff', WiFi: '#1fa392', LiFi: '#f0e94a', other: '#b4bcc8' },
    alarm: { bad: '#ff7088', degraded: '#f08c00' },
    health: { good: '#58b0e0', offline: '#b4bcc8', unknown: '#7b838e' },
    load: ['#17324f', '#27618f', '#4b95c8', '#93c4e6', '#e6f3fc'],
    dimmed: '#a9b1bc',
    backgrounds: { page: '#242424', land: '#1a2129', sea: '#10151b' },
  },
}

/** Behind white text, in both schemes. */
export const alarmFills = colours.light.alarm
