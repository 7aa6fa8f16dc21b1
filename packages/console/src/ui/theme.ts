import type { AgentState, Technology } from '@manc/sdk'
import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** From light to dark. White text is readable on the seventh. */
const blue: MantineColorsTuple = [
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
]

export const theme = createTheme({
  colors: { brand: blue },
  primaryColor: 'brand',
  primaryShade: 6,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  defaultRadius: 6,
  autoContrast: true,
  cursorType: 'pointer',
  components: {
    // Names for screen readers.
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
})

type Scheme = 'light' | 'dark'

/** Different in lightness as well as in hue; contrast of at least 3:1 against the page. */
const colours: Record<Technology, Record<Scheme, string>> = {
  '5G': { light: '#1f66d1', dark: '#6ea8fe' },
  WiFi: { light: '#c2410c', dark: '#ff8a5b' },
  LiFi: { light: '#8a6a00', dark: '#f5cf4a' },
  other: { light: '#5b6472', dark: '#aab2bf' },
}

export const colourOf = (technology: Technology, scheme: Scheme): string => colours[technology][scheme]

export const technologies: readonly Technology[] = ['5G', 'WiFi', 'LiFi', 'other']
export const states: readonly AgentState[] = ['online', 'stale', 'offline']
