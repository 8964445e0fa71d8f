import { useCallback, useRef, useState } from 'react'
import type { DesktopOffer, Watcher } from '../contract/remote.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { RemoteAddress } from './address.ts'
import { type Link, openLink } from './link.ts'
import { type Opening, openingOf } from './opening.ts'
import { showsPrompt } from './prompt.ts'
import { type PageState, useTerminalPage } from './useTerminalPage.ts'
import type { Answer } from './Watchers.tsx'

type OpenState =
  | { readonly kind: 'open'; readonly account: string; readonly watching: 'asked' | 'unasked' | null }
  | { readonly kind: 'desktop'; readonly offer: DesktopOffer }
export type ConnectionState = PageState | OpenState

export interface ReconnectOptions {
  readonly desktop?: boolean
  readonly as?: { readonly account: string; readonly password: string } | undefined
}

export function useTerminal(address: RemoteAddress) {
  const { machine } = address
  const [selected, setSelected] = useState(false)
  const [watchers, setWatchers] = useState<readonly Watcher[]>([])
  const opening = useRef<Opening | null>(null)
  const { place, state, setState, view, link, reconnect } = useTerminalPage<
    OpenState,
    Link,
    ReconnectOptions & { readonly clickedAt?: number }
  >(address, {
    requestTicket: () => api.remote.ticket({ vmName: machine! }),
    connect(ticket, { terminal, size }, { desktop = false, as, clickedAt } = {}) {
      opening.current = openingOf(machine!, ticket, clickedAt)
      return openLink({ machine: machine!, ticket, desktop }, size(), {
        opened: (account, watching) => {
          setState({ kind: 'open', account, watching })
          // The size may have changed while the terminal was connecting.
          link.current?.resize(size())
          terminal.focus()
        },
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

  return {
    place,
    state,
    selected,
    watchers,
    answer: (id: string, answer: Answer) => link.current?.answer({ id, answer }),
    reconnect: (options: ReconnectOptions = {}) => reconnect({ ...options, clickedAt: Date.now() }),
    usable: useCallback(() => opening.current?.usable('desktop'), []),
    press: (keys: string) => {
      link.current?.type(keys)
      view.current?.terminal.focus()
    },
    selection: () => view.current?.terminal.getSelection() ?? '',
    paste: (text: string) => {
      view.current?.terminal.paste(text)
      view.current?.terminal.focus()
    },
  }
}
