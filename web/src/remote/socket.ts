import { API_BASE } from '#src/api/client.ts'

/** A socket of the gateway's; bytes come as an ArrayBuffer. */
export function socketTo(path: string): WebSocket {
  const url = new URL(API_BASE + path, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return socket
}

/** Sends a message while the socket is open. */
export const sendTo = (socket: WebSocket, message: object): void => {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}
