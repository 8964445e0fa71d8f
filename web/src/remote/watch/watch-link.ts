import type { FromWatcher, ToWatcher } from '@trainyard/contract/calls/remote.ts'
import { REMOTE, TERMINAL_MESSAGE_BYTES, WATCH_SOCKET } from '@trainyard/contract/words/remote.ts'
import { sendTo, socketTo } from '../socket.ts'

export interface WatchEvents {
  told(message: Exclude<ToWatcher, { kind: 'ended' }>): void
  /** Call `shown` once these bytes are on the screen. */
  printed(bytes: Uint8Array, shown: () => void): void
  ended(sentence: string): void
}

export interface WatchLink {
  type(text: string): void
  wantKeyboard(want: boolean): void
  /** The client of the picture stands. */
  stands(): void
  close(): void
}

/** Opens the socket of somebody who watches a learner, with the ticket that is good for it. It ends once. */
export function openWatch(machine: string, ticket: string, events: WatchEvents): WatchLink {
  const socket = socketTo(WATCH_SOCKET)
  let over = false
  const send = (message: FromWatcher) => sendTo(socket, message)
  const end = (sentence: string) => {
    if (over) return
    over = true
    events.ended(sentence)
  }
  socket.addEventListener('open', () => send({ kind: 'watch', machine, ticket }))
  socket.addEventListener('close', () => end(REMOTE.portalLost))
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') {
      events.printed(new Uint8Array(data), () => send({ kind: 'shown', bytes: data.byteLength }))
      return
    }
    const message = JSON.parse(data) as ToWatcher
    if (message.kind === 'ended') end(message.sentence)
    else events.told(message)
  })
  return {
    type(text) {
      if (socket.readyState !== WebSocket.OPEN) return
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length; at += TERMINAL_MESSAGE_BYTES) {
        socket.send(bytes.subarray(at, at + TERMINAL_MESSAGE_BYTES))
      }
    },
    stands: () => send({ kind: 'shown', bytes: 1 }),
    wantKeyboard: (want) => send({ kind: 'keyboard', want }),
    close() {
      over = true
      socket.close()
    },
  }
}
