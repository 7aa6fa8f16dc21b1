import { colours } from '../ui/colours.ts'

export const chartColours = {
  light: {
    text: '#5b6472',
    grid: '#e6e9ee',
    background: '#ffffff',
    title: '#1c2530',
    ...colours.light.alarm,
  },
  dark: {
    text: '#a3adba',
    grid: '#363b42',
    background: '#242424',
    title: '#eef2f6',
    ...colours.dark.alarm,
  },
} as const

export type ChartColours = (typeof chartColours)[keyof typeof chartColours]
