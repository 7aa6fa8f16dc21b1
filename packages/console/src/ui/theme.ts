import type { AgentState, Technology } from '@manc/sdk'
import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { brand, colours, type Scheme } from './colours.ts'

export const theme = createTheme({
  colors: { brand },
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

const variablesOf = (scheme: Scheme): Record<string, string> => {
  const { alarm, dimmed, technology } = colours[scheme]
  return {
    '--mantine-color-dimmed': dimmed,
    '--mantine-color-error': alarm.bad,
    '--health-degraded': alarm.degraded,
    '--technology-5g': technology['5G'],
    '--technology-wifi': technology.WiFi,
    '--technology-lifi': technology.LiFi,
  }
}

/** The colours for style sheets. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variablesOf('light'),
  dark: variablesOf('dark'),
})

export const colourOf = (technology: Technology, scheme: Scheme): string =>
  colours[scheme].technology[technology]

export const technologies: readonly Technology[] = ['5G', 'WiFi', 'LiFi', 'other']
export const states: readonly AgentState[] = ['online', 'stale', 'offline']
