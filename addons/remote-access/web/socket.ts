import { REMOTE_MESSAGES, TERMINAL_MESSAGE_BYTES } from '../contract/remote-words.ts'
import { API_BASE } from '@trainyard/platform/web/api/client.ts'

export function socketTo(path: string): WebSocket {
  const url = new URL(API_BASE + path, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return socket
}

export const sendTo = (socket: WebSocket, message: object): void => {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

export interface TerminalEvents<Message> {
  received(message: Exclude<Message, { kind: 'ended' }>): void
  /** Call `onShown` once the bytes are rendered: it acknowledges them, and the gateway then sends more. */
  printed(bytes: Uint8Array, onShown: () => void): void
  /** Called once, with the reason; not after `close` or `expectEnd`. */
  ended(sentence: string): void
  /** Called instead of `ended` if the connection was lost without a reason. */
  lost?(): void
}

/**
 * @param first message that is sent on opening
 * @param ackBytes step in which rendered output is acknowledged; by default each message is
 */
export function openTerminalSocket<FromPage extends object, ToPage extends { kind: string }>(
  path: string,
  first: FromPage,
  events: TerminalEvents<ToPage>,
  ackBytes = 1,
) {
  const socket = socketTo(path)
  let hasEnded = false
  let shownBytes = 0
  const send = (message: FromPage | { kind: 'shown'; bytes: number }) => sendTo(socket, message)
  const acknowledge = (bytes: number) => {
    shownBytes += bytes
    if (shownBytes < ackBytes) return
    send({ kind: 'shown', bytes: shownBytes })
    shownBytes = 0
  }
  const end = (sentence: string | null) => {
    if (hasEnded) return
    hasEnded = true
    if (sentence === null && events.lost) events.lost()
    else events.ended(sentence ?? REMOTE_MESSAGES.portalLost)
  }
  socket.addEventListener('open', () => send(first))
  socket.addEventListener('close', () => end(null))
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') {
      events.printed(new Uint8Array(data), () => acknowledge(data.byteLength))
      return
    }
    const message = JSON.parse(data) as ToPage | { kind: 'ended'; sentence: string }
    if (message.kind === 'ended') end((message as { sentence: string }).sentence)
    else events.received(message as Exclude<ToPage, { kind: 'ended' }>)
  })
  return {
    send,
    type(text: string) {
      if (socket.readyState !== WebSocket.OPEN) return
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length; at += TERMINAL_MESSAGE_BYTES) {
        socket.send(bytes.subarray(at, at + TERMINAL_MESSAGE_BYTES))
      }
    },
    expectEnd() {
      hasEnded = true
    },
    close() {
      hasEnded = true
      socket.close()
    },
  }
}
