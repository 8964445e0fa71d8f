import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Brand blue, light to dark; filled controls use shade 8 in light mode and 7 in dark mode. */
const accent: MantineColorsTuple = [
  '#eaf1fc',
  '#d3e2f9',
  '#a9c4ee',
  '#8ab4f8',
  '#6ea4f5',
  '#4d87e0',
  '#3a72d2',
  '#2a63c4',
  '#1a56b8',
  '#154797',
]
const signalRed: MantineColorsTuple = [
  '#fdeceb',
  '#f6d5d2',
  '#eda9a4',
  '#e57b74',
  '#de544b',
  '#d73c31',
  '#c22f26',
  '#b3261e',
  '#a3201a',
  '#861812',
]

/** Mantine theme with Trainyard's tokens; `primaryShade` and the darker dimmed text satisfy WCAG AA. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors: { accent, red: signalRed },
  fontFamily: 'var(--text)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'xs',
  radius: { xs: 'var(--radius)', sm: 'var(--radius)', md: 'var(--radius)', lg: '8px', xl: '8px' },
  fontSizes: {
    xs: 'var(--size-label)',
    sm: 'var(--size-small)',
    md: 'var(--size-text)',
    lg: 'var(--size-lead)',
    xl: 'var(--size-title)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Hints are below the fields, so that fields next to each other are in one line.
  components: { InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } } },
})

const colours = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--dim)',
  '--mantine-color-placeholder': 'var(--dim)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-red-filled': 'var(--danger-ground)',
  '--mantine-color-accent-light-color': 'var(--accent)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--field-edge)',
}

/**
 * The variables are set for each scheme, because Mantine's rules for a scheme would override rules for both schemes.
 */
export const variables: CSSVariablesResolver = () => ({ variables: {}, light: colours, dark: colours })
