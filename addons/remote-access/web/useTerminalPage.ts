import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Terminal } from '@xterm/xterm'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { useScheme } from '@trainyard/platform/web/theme/scheme.ts'
import type { RemoteAddress } from './address.ts'
import { createTerminalView, type TerminalView } from './terminal-view.ts'

export type PageState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ended'; readonly sentence: string }

interface Connections<Link, Options> {
  follows?: boolean
  /** True to keep what the terminal shows, which the connection continues. */
  continues?: (options?: Options) => boolean
  prepare?: (terminal: Terminal) => void
  connect: (ticket: string, view: TerminalView, options?: Options) => Link
  requestTicket: () => Promise<{ readonly password: string }>
}

/** Runs a terminal in `place`: connects with the ticket of the URL, and reconnects with a new ticket on request. */
export function useTerminalPage<State, Link extends { type(text: string): void; close(): void }, Options = never>(
  { machine, ticket }: RemoteAddress,
  { follows, continues = () => false, prepare, connect, requestTicket }: Connections<Link, Options>,
) {
  const [state, setState] = useState<State | PageState>({ kind: ticket === null ? 'waiting' : 'connecting' })
  const [scheme] = useScheme()
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<TerminalView | null>(null)
  const link = useRef<Link | null>(null)

  /** @param isHandled true for an error after which the page tries again */
  const reconnect = async (options?: Options, isHandled: (error: unknown) => boolean = () => false) => {
    link.current?.close()
    if (!continues(options)) setState({ kind: 'connecting' })
    try {
      const { password } = await requestTicket()
      if (!continues(options)) view.current!.terminal.reset()
      link.current = connect(password, view.current!, options)
    } catch (error) {
      if (isHandled(error)) return
      setState({ kind: 'ended', sentence: messageOf(error) })
    }
  }
  const begin = useEffectEvent((created: TerminalView) => {
    created.terminal.onData((text) => link.current?.type(text))
    prepare?.(created.terminal)
    if (ticket !== null) link.current = connect(ticket, created)
  })

  useEffect(() => {
    if (machine === null) return undefined
    const created = createTerminalView(place.current!, scheme, { follows })
    view.current = created
    begin(created)
    return () => {
      link.current?.close()
      created.remove()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one terminal for the page's lifetime; its colours are updated below
  }, [machine, follows])
  useEffect(() => view.current?.show(scheme), [scheme])

  return { place, state, setState, view, link, reconnect }
}
