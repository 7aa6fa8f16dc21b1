export const chartColours = {
  light: {
    text: '#5b6472',
    grid: '#e6e9ee',
    background: '#ffffff',
    title: '#1c2530',
    degraded: '#b45309',
    bad: '#c02626',
  },
  dark: {
    text: '#a3adba',
    grid: '#363b42',
    background: '#242424',
    title: '#eef2f6',
    degraded: '#ffa94d',
    bad: '#ff8f8f',
  },
} as const

export type ChartColours = (typeof chartColours)[keyof typeof chartColours]
