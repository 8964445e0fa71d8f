import { useCallback, useRef, useState } from 'react'
import type { DesktopOffer, Watcher } from '../contract/remote.ts'
import { REMOTE_MESSAGES, SHELL_KEPT_MINUTES } from '../contract/remote-words.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { RemoteAddress } from './address.ts'
import { type Link, openLink, type Position } from './link.ts'
import { type Opening, openingOf } from './opening.ts'
import { showsPrompt } from './prompt.ts'
import { type PageState, useTerminalPage } from './useTerminalPage.ts'
import type { Answer } from './Watchers.tsx'

type OpenState =
  | {
      readonly kind: 'open'
      readonly account: string
      readonly watching: 'asked' | 'unasked' | null
      /** The connection is lost, and the page is reconnecting. */
      readonly isLost: boolean
    }
  | { readonly kind: 'desktop'; readonly offer: DesktopOffer }
export type ConnectionState = PageState | OpenState

/** Delay before the page reconnects, in ms; it grows with each attempt. */
const RETRY_MS = 1_000
const RETRIES_GROW = 10
/** For users without a mouse, to whom nothing else on the page says it. */
const HOW_TO_LEAVE = '\x1b[90mCtrl+Alt+Esc leaves the terminal.\x1b[0m\r\n'
const NEW_SHELL = '\x1b[90mThe earlier shell has ended. This is a new one.\x1b[0m\r\n'

/** Waits, at most until the browser is online again. */
const onlineOrAfter = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    addEventListener('online', done)
  })

/** Attempts to reconnect after a connection was lost. */
function newOutage() {
  const at = Date.now()
  let attempts = 0
  return {
    untilNextAttempt: () => onlineOrAfter(RETRY_MS * Math.min(RETRIES_GROW, (attempts += 1))),
    isOver: () => Date.now() - at > SHELL_KEPT_MINUTES * 60_000,
  }
}

export interface ReconnectOptions {
  readonly desktop?: boolean
  readonly as?: { readonly account: string; readonly password: string } | undefined
}

export function useTerminal(address: RemoteAddress) {
  const { machine } = address
  const [selected, setSelected] = useState(false)
  const [watchers, setWatchers] = useState<readonly Watcher[]>([])
  const opening = useRef<Opening | null>(null)
  const lost = useRef<ReturnType<typeof newOutage> | null>(null)
  /** The control with which the user connected. */
  const pressed = useRef<Element | null>(null)
  const { place, state, setState, view, link, reconnect } = useTerminalPage<
    OpenState,
    Link,
    ReconnectOptions & { readonly clickedAt?: number; readonly resumes?: boolean }
  >(address, {
    requestTicket() {
      pressed.current = document.activeElement
      return api.remote.ticket({ vmName: machine! })
    },
    continues: (options) => options?.resumes === true,
    connect(ticket, { terminal, size }, { desktop = false, resumes = false, as, clickedAt } = {}): Link {
      if (!resumes) opening.current = openingOf(machine!, ticket, clickedAt)
      const position = desktop ? null : (link.current?.position() ?? null)
      // After a press of Reconnect, the terminal is empty.
      const resume: Position | null = position && !resumes ? { ...position, received: 0 } : position
      return openLink({ machine: machine!, ticket, desktop, resume }, size(), {
        opened: (account, watching, shell) => {
          lost.current = null
          setState({ kind: 'open', account, watching, isLost: false })
          if (shell === 'redrawn' || shell === 'other') terminal.reset()
          if (shell === 'other' && resumes) terminal.write(NEW_SHELL)
          // The size may have changed while the terminal was connecting.
          link.current?.resize(size())
          // The user may have begun to use the guide or a tool in the meantime.
          const focused = document.activeElement
          if (!resumes && (focused === document.body || focused === pressed.current)) terminal.focus()
        },
        lost: () => void resumeShell(),
        watched: setWatchers,
        desktop: (offer) => setState({ kind: 'desktop', offer: { ...offer, ...as } }),
        printed: (bytes, onShown) =>
          terminal.write(bytes, () => {
            onShown()
            if (showsPrompt(terminal)) opening.current?.usable('terminal')
          }),
        ended(sentence) {
          setWatchers([])
          setState({ kind: 'ended', sentence })
        },
      })
    },
    prepare(terminal) {
      terminal.write(HOW_TO_LEAVE)
      terminal.onData(() => opening.current?.leave())
      terminal.onResize(({ cols, rows }) => link.current?.resize({ columns: cols, rows }))
      terminal.onSelectionChange(() => setSelected(terminal.hasSelection()))
      terminal.attachCustomKeyEventHandler((event) => {
        if (!(event.ctrlKey && event.shiftKey && event.code === 'KeyC')) return true
        // By default browsers open their developer tools on Ctrl+Shift+C.
        event.preventDefault()
        if (event.type === 'keydown' && terminal.hasSelection())
          void navigator.clipboard?.writeText(terminal.getSelection())
        return false
      })
    },
  })

  /** Reconnects to the same shell while it remains open. */
  async function resumeShell(): Promise<void> {
    setWatchers([])
    if (link.current?.position() == null) return setState({ kind: 'ended', sentence: REMOTE_MESSAGES.portalLost })
    const outage = (lost.current ??= newOutage())
    setState((before) => (before.kind === 'open' ? { ...before, isLost: true } : before))
    await outage.untilNextAttempt()
    if (lost.current !== outage) return
    if (outage.isOver()) {
      setState({ kind: 'ended', sentence: REMOTE_MESSAGES.portalLost })
      return
    }
    await reconnect({ resumes: true }, (error) => {
      const isTemporary =
        error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
      if (isTemporary) void resumeShell()
      return isTemporary
    })
  }

  return {
    place,
    state,
    selected,
    watchers,
    answer: (id: string, answer: Answer) => link.current?.answer({ id, answer }),
    reconnect: (options: ReconnectOptions = {}) => {
      lost.current = null
      return reconnect({ ...options, clickedAt: Date.now() })
    },
    usable: useCallback(() => opening.current?.usable('desktop'), []),
    press: (keys: string) => {
      link.current?.type(keys)
      view.current?.terminal.focus()
    },
    type: (text: string) => link.current?.type(text),
    focus: () => view.current?.terminal.focus(),
    scale: (by: 1 | -1) => view.current?.scale(by),
    selection: () => view.current?.terminal.getSelection() ?? '',
    paste: (text: string) => {
      view.current?.terminal.paste(text)
      view.current?.terminal.focus()
    },
  }
}
