import { useCallback, useEffect, useState } from 'react'
import type { KeyboardState, PointerPosition } from '../../contract/remote.ts'
import { WATCHING } from '../../contract/watching.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { RemoteAddress } from '../address.ts'
import { type PageState, useTerminalPage } from '../useTerminalPage.ts'
import { openWatch, type WatchLink } from './watch-link.ts'

type OpenState =
  | { readonly kind: 'asking'; readonly learner: string }
  | { readonly kind: 'open'; readonly learner: string; readonly desktop?: string }
export type WatchState = PageState | OpenState

export function useWatch(address: RemoteAddress) {
  const { machine } = address
  const [keyboard, setKeyboard] = useState<{ readonly state: KeyboardState; readonly heldByAnother: boolean }>(
    NO_KEYBOARD,
  )
  const [pointer, setPointer] = useState<PointerPosition | null>(null)
  const { place, state, setState, view, link, reconnect } = useTerminalPage<OpenState, WatchLink>(address, {
    follows: true,
    requestTicket: () => api.remote.watch({ vmName: machine! }),
    connect(ticket, { terminal }) {
      setKeyboard(NO_KEYBOARD)
      return openWatch(machine!, ticket, {
        received(message) {
          switch (message.kind) {
            case 'asking':
              return setState({ kind: 'asking', learner: message.learner })
            case 'screen':
              // Runs after all pending writes.
              terminal.write('', () => {
                terminal.reset()
                terminal.resize(message.columns, message.rows)
              })
              return setState({ kind: 'open', learner: message.learner })
            case 'size':
              return terminal.write('', () => terminal.resize(message.columns, message.rows))
            case 'desktop':
              return setState({ kind: 'open', learner: message.learner, desktop: message.ticket })
            case 'pointer':
              return setPointer(message)
            case 'keyboard':
              setKeyboard(message)
              if (message.state === 'held') terminal.focus()
          }
        },
        printed: (bytes, onShown) => terminal.write(bytes, onShown),
        ended(sentence) {
          setKeyboard(NO_KEYBOARD)
          setState({ kind: 'ended', sentence })
        },
      })
    },
  })
  const mayType = keyboard.state === 'held'
  useEffect(() => {
    view.current?.allowTyping(mayType)
  }, [view, mayType])

  return {
    place,
    state,
    keyboard,
    pointer,
    reconnect,
    pictureConnected: useCallback(() => link.current?.pictureConnected(), [link]),
    wantKeyboard: (isRequested: boolean) => link.current?.wantKeyboard(isRequested),
  }
}

const NO_KEYBOARD = { state: 'none', heldByAnother: false } as const

export function labelOf(state: WatchState): string {
  switch (state.kind) {
    case 'waiting':
      return 'Not watching'
    case 'connecting':
      return 'Connecting...'
    case 'asking':
      return WATCHING.waiting(state.learner)
    case 'open':
      return `Watching ${state.learner}`
    case 'ended':
      return 'Ended'
  }
}
