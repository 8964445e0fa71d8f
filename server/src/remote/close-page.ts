import type { WebSocket } from 'ws'

/** A page that does not answer a close is left. */
const GOODBYE_MS = 2_000

/** Closes a page's socket; one that does not answer is dropped. */
export function closePage(socket: WebSocket): void {
  socket.close(1000)
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}
