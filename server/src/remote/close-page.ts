import type { WebSocket } from 'ws'

/** Time for a page to answer the close handshake, in milliseconds. */
const GOODBYE_MS = 2_000

/** Closes a page's socket and terminates the connection if the page does not respond. */
export function closePage(socket: WebSocket): void {
  socket.close(1000)
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}
