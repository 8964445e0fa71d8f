import { FitAddon } from '@xterm/addon-fit'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { Scheme } from '@trainyard/platform/web/theme/scheme.ts'
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

export interface TerminalView {
  readonly terminal: Terminal
  size(): Size
  show(scheme: Scheme): void
  allowTyping(allowed: boolean): void
  /** Makes the text one step larger or smaller. */
  scale(by: 1 | -1): void
  remove(): void
}

/** @param follows true: uses the caller's size with the largest font that fits, instead of filling the element */
export function createTerminalView(place: HTMLElement, scheme: Scheme, { follows = false } = {}): TerminalView {
  const terminal = new Terminal({
    theme: THEMES[scheme],
    fontFamily: getComputedStyle(place).fontFamily,
    fontSize: 14,
    lineHeight: 1.2,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    scrollback: 5_000,
    // Keeps text readable when programs set their own background colours.
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    // `terminal.unicode` is a proposed API.
    allowProposedApi: true,
  })
  const fitAddon = new FitAddon()
  terminal.loadAddon(fitAddon)
  // Emoji are two columns wide, as in shells; by default xterm.js counts most of them as one.
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  Terminal.strings.promptLabel = 'Terminal input. Press Control, Alt and Escape together to leave.'
  terminal.open(place)
  place.addEventListener('keydown', leaveByKeys, { capture: true })
  const adapt = () => (follows ? fitType(terminal, fitAddon) : fitAddon.fit())
  adapt()
  const resizing = new ResizeObserver(adapt)
  resizing.observe(place)
  if (follows) terminal.onResize(adapt)
  return {
    terminal,
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    show: (next) => {
      terminal.options.theme = THEMES[next]
    },
    allowTyping(allowed) {
      terminal.options.disableStdin = !allowed
    },
    scale(by) {
      const now = terminal.options.fontSize ?? TYPE_SIZE.usual
      terminal.options.fontSize = Math.min(TYPE_SIZE.largest, Math.max(TYPE_SIZE.smallest, now + 2 * by))
      adapt()
    },
    remove() {
      resizing.disconnect()
      place.removeEventListener('keydown', leaveByKeys, { capture: true })
      terminal.dispose()
    },
  }
}

/** Moves the focus to the bar: in a terminal, Tab and Shift+Tab are typed. */
function leaveByKeys(event: KeyboardEvent): void {
  if (!event.ctrlKey || !event.altKey || event.code !== 'Escape') return
  event.preventDefault()
  event.stopPropagation()
  const control = document.querySelector<HTMLElement>('header:not([hidden]) button:enabled, button:enabled')
  control?.focus()
}

const TYPE_SIZE = { smallest: 7, usual: 14, largest: 32 }

function fitType(terminal: Terminal, fitAddon: FitAddon): void {
  terminal.options.fontSize = TYPE_SIZE.usual
  const dimensions = fitAddon.proposeDimensions()
  if (dimensions === undefined) return
  const part = Math.min(1, dimensions.cols / terminal.cols, dimensions.rows / terminal.rows)
  terminal.options.fontSize = Math.max(TYPE_SIZE.smallest, Math.floor(TYPE_SIZE.usual * part))
}
