import type { DesktopOffer, FromPage, ToPage, Watcher } from '@trainyard/contract/calls/remote.ts'
import { REMOTE, REMOTE_SOCKET, TERMINAL_MESSAGE_BYTES } from '@trainyard/contract/words/remote.ts'
import { sendTo, socketTo } from './socket.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface LinkEvents {
  opened(account: string, watching: 'asked' | 'unasked' | null): void
  watched(watchers: readonly Watcher[]): void
  desktop(offer: DesktopOffer): void
  /** Call `shown` once these bytes are on the screen: more is sent only then. */
  printed(bytes: Uint8Array, shown: () => void): void
  ended(sentence: string): void
}

export interface Link {
  type(text: string): void
  resize(size: Size): void
  answer(watcher: Omit<Extract<FromPage, { kind: 'watcher' }>, 'kind'>): void
  close(): void
}

/** The page acknowledges its output in steps of so many bytes: far fewer than the gateway sends ahead. */
const TELL_BYTES = 32 * 1024

/** Opens the terminal that a ticket is good for, or what leads to the desktop. It ends once, with a sentence why. */
export function openLink(
  { machine, ticket, desktop }: { readonly machine: string; readonly ticket: string; readonly desktop: boolean },
  size: Size,
  events: LinkEvents,
): Link {
  const socket = socketTo(REMOTE_SOCKET)
  let over = false
  let shown = 0
  const send = (message: FromPage) => sendTo(socket, message)
  const end = (sentence: string) => {
    if (over) return
    over = true
    events.ended(sentence)
  }
  const tellShown = (bytes: number) => {
    shown += bytes
    if (shown < TELL_BYTES) return
    send({ kind: 'shown', bytes: shown })
    shown = 0
  }
  socket.addEventListener('open', () => send({ kind: 'open', machine, ticket, desktop, ...size }))
  socket.addEventListener('close', () => end(REMOTE.portalLost))
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') {
      events.printed(new Uint8Array(data), () => tellShown(data.byteLength))
      return
    }
    const message = JSON.parse(data) as ToPage
    switch (message.kind) {
      case 'opened':
        return events.opened(message.account, message.watching)
      case 'watchers':
        return events.watched(message.watchers)
      case 'desktop':
        over = true
        return events.desktop(message)
      case 'ended':
        return end(message.sentence)
    }
  })
  return {
    type(text) {
      if (socket.readyState !== WebSocket.OPEN) return
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length; at += TERMINAL_MESSAGE_BYTES) {
        socket.send(bytes.subarray(at, at + TERMINAL_MESSAGE_BYTES))
      }
    },
    resize: (size) => send({ kind: 'resize', ...size }),
    answer: (said) => send({ kind: 'watcher', ...said }),
    close() {
      over = true
      socket.close()
    },
  }
}
