import { useCallback, useEffect, useRef, useState } from 'react'
import type { DesktopOffer, Watcher } from '@trainyard/contract/calls/remote.ts'
import { api } from '#src/api/client.ts'
import { useScheme } from '#src/theme/scheme.ts'
import type { RemoteAddress } from './address.ts'
import { type Link, openLink } from './link.ts'
import { type Opening, openingOf } from './opening.ts'
import { showsPrompt } from './prompt.ts'
import type { Answer } from './Watchers.tsx'
import { createTerminalView, type TerminalView } from './terminal-view.ts'

export type ConnectionState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly account: string; readonly watching: 'asked' | 'unasked' | null }
  | { readonly kind: 'desktop'; readonly offer: DesktopOffer }
  | { readonly kind: 'ended'; readonly sentence: string }

export interface ReconnectOptions {
  readonly desktop?: boolean
  /** Account to use instead of the machine's own. */
  readonly as?: { readonly account: string; readonly password: string } | undefined
}

/** Runs a terminal in `place`: connects with the ticket of the URL, and reconnects with a new ticket on request. */
export function useTerminal({ machine, ticket }: RemoteAddress) {
  const [state, setState] = useState<ConnectionState>({ kind: ticket === null ? 'waiting' : 'connecting' })
  const [selected, setSelected] = useState(false)
  const [watchers, setWatchers] = useState<readonly Watcher[]>([])
  const [scheme] = useScheme()
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<TerminalView | null>(null)
  const link = useRef<Link | null>(null)
  const opening = useRef<Opening | null>(null)

  const connect = useCallback(
    (
      withTicket: string,
      { desktop = false, as, clickedAt }: ReconnectOptions & { readonly clickedAt?: number } = {},
    ) => {
      opening.current = openingOf(machine!, withTicket, clickedAt)
      const { terminal, size } = screen.current!
      setState({ kind: 'connecting' })
      link.current = openLink({ machine: machine!, ticket: withTicket, desktop }, size(), {
        opened: (account, watching) => {
          setState({ kind: 'open', account, watching })
          // The size can have changed while connecting.
          link.current?.resize(size())
          terminal.focus()
        },
        watched: setWatchers,
        desktop: (offer) => setState({ kind: 'desktop', offer: { ...offer, ...as } }),
        printed: (bytes, shown) =>
          terminal.write(bytes, () => {
            shown()
            if (showsPrompt(terminal)) opening.current?.usable('terminal')
          }),
        ended(sentence) {
          setWatchers([])
          setState({ kind: 'ended', sentence })
        },
      })
    },
    [machine],
  )

  const reconnect = useCallback(
    async (options: ReconnectOptions = {}) => {
      const clickedAt = Date.now()
      link.current?.close()
      setState({ kind: 'connecting' })
      try {
        const fresh = await api.remote.ticket({ vmName: machine! })
        screen.current!.terminal.reset()
        connect(fresh.password, { ...options, clickedAt })
      } catch (error) {
        setState({ kind: 'ended', sentence: error instanceof Error ? error.message : String(error) })
      }
    },
    [connect, machine],
  )

  const usable = useCallback(() => opening.current?.usable('desktop'), [])

  useEffect(() => {
    if (machine === null) return undefined
    const made = createTerminalView(place.current!, scheme)
    screen.current = made
    const { terminal } = made
    terminal.onData((text) => {
      opening.current?.leave()
      link.current?.type(text)
    })
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
    if (ticket !== null) connect(ticket)
    return () => {
      link.current?.close()
      made.remove()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one terminal for the page's lifetime; its colours are updated below
  }, [machine, ticket, connect])
  useEffect(() => screen.current?.show(scheme), [scheme])

  return {
    place,
    state,
    selected,
    watchers,
    answer: (id: string, answer: Answer) => link.current?.answer({ id, answer }),
    reconnect,
    /** Called when the machine's desktop accepts input. */
    usable,
    press: (keys: string) => {
      link.current?.type(keys)
      screen.current?.terminal.focus()
    },
    selection: () => screen.current?.terminal.getSelection() ?? '',
    paste: (text: string) => {
      screen.current?.terminal.paste(text)
      screen.current?.terminal.focus()
    },
  }
}
