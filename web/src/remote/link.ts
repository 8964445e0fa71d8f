import type { DesktopOffer, MessageFromPage, MessageToPage, Watcher } from '@trainyard/contract/calls/remote.ts'
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
  /** Call `shown` once the bytes are rendered: it acknowledges them, and the gateway then sends more. */
  printed(bytes: Uint8Array, shown: () => void): void
  ended(sentence: string): void
}

export interface Link {
  type(text: string): void
  resize(size: Size): void
  answer(watcher: Omit<Extract<MessageFromPage, { kind: 'watcher' }>, 'kind'>): void
  close(): void
}

/** Rendered output is acknowledged in steps of this size, far below the gateway's send window. */
const ACK_BYTES = 32 * 1024

/** Opens the terminal, or the desktop's offer, with a ticket. `ended` is called once with the reason. */
export function openLink(
  { machine, ticket, desktop }: { readonly machine: string; readonly ticket: string; readonly desktop: boolean },
  size: Size,
  events: LinkEvents,
): Link {
  const socket = socketTo(REMOTE_SOCKET)
  let hasEnded = false
  let shown = 0
  const send = (message: MessageFromPage) => sendTo(socket, message)
  const end = (sentence: string) => {
    if (hasEnded) return
    hasEnded = true
    events.ended(sentence)
  }
  const acknowledge = (bytes: number) => {
    shown += bytes
    if (shown < ACK_BYTES) return
    send({ kind: 'shown', bytes: shown })
    shown = 0
  }
  socket.addEventListener('open', () => send({ kind: 'open', machine, ticket, desktop, ...size }))
  socket.addEventListener('close', () => end(REMOTE.portalLost))
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') {
      events.printed(new Uint8Array(data), () => acknowledge(data.byteLength))
      return
    }
    const message = JSON.parse(data) as MessageToPage
    switch (message.kind) {
      case 'opened':
        return events.opened(message.account, message.watching)
      case 'watchers':
        return events.watched(message.watchers)
      case 'desktop':
        hasEnded = true
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
      hasEnded = true
      socket.close()
    },
  }
}
