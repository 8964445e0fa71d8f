import { useCallback, useEffect, useRef, useState } from 'react'
import type { DesktopOffer, Watcher } from '@trainyard/contract/calls/remote.ts'
import { api } from '#src/api/client.ts'
import { useScheme } from '#src/theme/scheme.ts'
import type { Asked } from './address.ts'
import { type Link, openLink } from './link.ts'
import { type Opening, openingOf } from './opening.ts'
import { showsPrompt } from './prompt.ts'
import type { Answer } from './Watchers.tsx'
import { makeScreen, type Screen } from './screen.ts'

/** The state of the page's connection to its machine. */
export type ConnectionState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly account: string; readonly watching: 'asked' | 'unasked' | null }
  | { readonly kind: 'desktop'; readonly offer: DesktopOffer }
  | { readonly kind: 'ended'; readonly sentence: string }

/** The form of a connection that is asked for anew. */
export interface Wanted {
  readonly desktop?: boolean
  /** Another account than the machine was made with. */
  readonly as?: { readonly account: string; readonly password: string } | undefined
}

/** A terminal in `place`, connected with the address's ticket, and again with a fresh one whenever asked. */
export function useTerminal({ machine, ticket }: Asked) {
  const [state, setState] = useState<ConnectionState>({ kind: ticket === null ? 'waiting' : 'connecting' })
  const [selected, setSelected] = useState(false)
  const [watchers, setWatchers] = useState<readonly Watcher[]>([])
  const [scheme] = useScheme()
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen | null>(null)
  const link = useRef<Link | null>(null)
  const opening = useRef<Opening | null>(null)

  const connect = useCallback(
    (withTicket: string, { desktop = false, as, clickedAt }: Wanted & { readonly clickedAt?: number } = {}) => {
      opening.current = openingOf(machine!, withTicket, clickedAt)
      const { terminal, size } = screen.current!
      setState({ kind: 'connecting' })
      link.current = openLink({ machine: machine!, ticket: withTicket, desktop }, size(), {
        opened: (account, watching) => {
          setState({ kind: 'open', account, watching })
          // Nobody heard a change of size during the connecting.
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
    async (wanted: Wanted = {}) => {
      const clickedAt = Date.now()
      link.current?.close()
      setState({ kind: 'connecting' })
      try {
        const fresh = await api.remote.ticket({ vmName: machine! })
        screen.current!.terminal.reset()
        connect(fresh.password, { ...wanted, clickedAt })
      } catch (error) {
        setState({ kind: 'ended', sentence: error instanceof Error ? error.message : String(error) })
      }
    },
    [connect, machine],
  )

  const usable = useCallback(() => opening.current?.usable('desktop'), [])

  useEffect(() => {
    if (machine === null) return undefined
    const made = makeScreen(place.current!, scheme)
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
      // Browsers open their own tools with it otherwise.
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
    // oxlint-disable-next-line react/exhaustive-deps -- one terminal for the page's life; its colours follow below
  }, [machine, ticket, connect])
  useEffect(() => screen.current?.show(scheme), [scheme])

  return {
    place,
    state,
    selected,
    watchers,
    answer: (id: string, answer: Answer) => link.current?.answer({ id, answer }),
    reconnect,
    /** The machine's desktop can be worked with. */
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
