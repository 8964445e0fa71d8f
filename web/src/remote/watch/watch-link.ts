import type { MessageFromWatcher, MessageToWatcher } from '@trainyard/contract/calls/remote.ts'
import { REMOTE, TERMINAL_MESSAGE_BYTES, WATCH_SOCKET } from '@trainyard/contract/words/remote.ts'
import { sendTo, socketTo } from '../socket.ts'

export interface WatchEvents {
  received(message: Exclude<MessageToWatcher, { kind: 'ended' }>): void
  printed(bytes: Uint8Array, shown: () => void): void
  ended(sentence: string): void
}

export interface WatchLink {
  type(text: string): void
  wantKeyboard(want: boolean): void
  /** Reports that the picture's client is connected. */
  pictureConnected(): void
  close(): void
}

/** Opens a watcher's socket with a ticket. `ended` is called once. */
export function openWatch(machine: string, ticket: string, events: WatchEvents): WatchLink {
  const socket = socketTo(WATCH_SOCKET)
  let hasEnded = false
  const send = (message: MessageFromWatcher) => sendTo(socket, message)
  const end = (sentence: string) => {
    if (hasEnded) return
    hasEnded = true
    events.ended(sentence)
  }
  socket.addEventListener('open', () => send({ kind: 'watch', machine, ticket }))
  socket.addEventListener('close', () => end(REMOTE.portalLost))
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') {
      events.printed(new Uint8Array(data), () => send({ kind: 'shown', bytes: data.byteLength }))
      return
    }
    const message = JSON.parse(data) as MessageToWatcher
    if (message.kind === 'ended') end(message.sentence)
    else events.received(message)
  })
  return {
    type(text) {
      if (socket.readyState !== WebSocket.OPEN) return
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length; at += TERMINAL_MESSAGE_BYTES) {
        socket.send(bytes.subarray(at, at + TERMINAL_MESSAGE_BYTES))
      }
    },
    pictureConnected: () => send({ kind: 'shown', bytes: 1 }),
    wantKeyboard: (want) => send({ kind: 'keyboard', want }),
    close() {
      hasEnded = true
      socket.close()
    },
  }
}
