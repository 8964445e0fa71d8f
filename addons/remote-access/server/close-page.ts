import type { WebSocket } from 'ws'

const CLOSE_TIMEOUT_MS = 2_000

export function closePage(socket: WebSocket): void {
  socket.close(1000)
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref()
}
