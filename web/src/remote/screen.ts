import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { Scheme } from '#src/theme/scheme.ts'
import type { Size } from './link.ts'

const THEMES: Readonly<Record<Scheme, ITheme>> = {
  light: {
    background: '#fdfdfb',
    foreground: '#15202b',
    cursor: '#123f7a',
    cursorAccent: '#fdfdfb',
    selectionBackground: '#b6cae6',
    black: '#15202b',
    red: '#a3201a',
    green: '#14693f',
    yellow: '#855200',
    blue: '#123f7a',
    magenta: '#6b2c7e',
    cyan: '#0f5f6b',
    white: '#4f5b67',
    brightBlack: '#4f5b67',
    brightWhite: '#15202b',
  },
  dark: {
    background: '#10151b',
    foreground: '#e6e8ea',
    cursor: '#9dc3f5',
    cursorAccent: '#10151b',
    selectionBackground: '#33669f',
    red: '#ff9b92',
    green: '#63d19a',
    yellow: '#f0b75a',
    blue: '#9dc3f5',
    magenta: '#d9a8ea',
    cyan: '#7fd4df',
  },
}

/** A terminal that fills its element, whatever the size. */
export interface Screen {
  readonly terminal: Terminal
  size(): Size
  show(scheme: Scheme): void
  remove(): void
}

export function makeScreen(place: HTMLElement, scheme: Scheme): Screen {
  const terminal = new Terminal({
    theme: THEMES[scheme],
    fontFamily: getComputedStyle(place).fontFamily,
    fontSize: 14,
    lineHeight: 1.2,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    scrollback: 5_000,
    // Programs choose colours for backgrounds of their own.
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(place)
  fit.fit()
  const resizing = new ResizeObserver(() => fit.fit())
  resizing.observe(place)
  return {
    terminal,
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    show: (next) => {
      terminal.options.theme = THEMES[next]
    },
    remove() {
      resizing.disconnect()
      terminal.dispose()
    },
  }
}
