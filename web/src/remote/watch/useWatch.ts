import { useCallback, useEffect, useRef, useState } from 'react'
import type { KeyboardState, PointerPosition } from '@trainyard/contract/calls/remote.ts'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import { api } from '#src/api/client.ts'
import { useScheme } from '#src/theme/scheme.ts'
import type { RemoteAddress } from '../address.ts'
import { createTerminalView, type TerminalView } from '../terminal-view.ts'
import { openWatch, type WatchLink } from './watch-link.ts'

export type WatchState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'asking'; readonly learner: string }
  /** `desktop` is the ticket for the picture, if the learner uses a desktop. */
  | { readonly kind: 'open'; readonly learner: string; readonly desktop?: string }
  | { readonly kind: 'ended'; readonly sentence: string }

/** Shows a learner's screen, connected with the ticket of the URL or a new one. A terminal is rendered in `place`. */
export function useWatch({ machine, ticket }: RemoteAddress) {
  const [state, setState] = useState<WatchState>({ kind: ticket === null ? 'waiting' : 'connecting' })
  const [keyboard, setKeyboard] = useState<{ readonly state: KeyboardState; readonly heldByAnother: boolean }>(
    NO_KEYBOARD,
  )
  const [pointer, setPointer] = useState<PointerPosition | null>(null)
  const [scheme] = useScheme()
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<TerminalView | null>(null)
  const link = useRef<WatchLink | null>(null)

  const connect = useCallback(
    (withTicket: string) => {
      const { terminal } = screen.current!
      setState({ kind: 'connecting' })
      setKeyboard(NO_KEYBOARD)
      link.current = openWatch(machine!, withTicket, {
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
        printed: (bytes, shown) => terminal.write(bytes, shown),
        ended(sentence) {
          setKeyboard(NO_KEYBOARD)
          setState({ kind: 'ended', sentence })
        },
      })
    },
    [machine],
  )

  const reconnect = useCallback(async () => {
    setState({ kind: 'connecting' })
    try {
      connect((await api.remote.watch({ vmName: machine! })).password)
    } catch (error) {
      setState({ kind: 'ended', sentence: error instanceof Error ? error.message : String(error) })
    }
  }, [connect, machine])

  useEffect(() => {
    const made = createTerminalView(place.current!, scheme, { follows: true })
    screen.current = made
    made.terminal.onData((text) => link.current?.type(text))
    if (ticket !== null) connect(ticket)
    return () => {
      link.current?.close()
      made.remove()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one terminal for the page's lifetime; its colours are updated below
  }, [ticket, connect])
  useEffect(() => screen.current?.show(scheme), [scheme])
  const mayType = keyboard.state === 'held'
  useEffect(() => {
    if (screen.current !== null) screen.current.terminal.options.disableStdin = !mayType
  }, [mayType])

  return {
    place,
    state,
    keyboard,
    pointer,
    reconnect,
    pictureConnected: useCallback(() => link.current?.pictureConnected(), []),
    wantKeyboard: (want: boolean) => link.current?.wantKeyboard(want),
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
