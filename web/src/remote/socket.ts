import { API_BASE } from '#src/api/client.ts'

/** Opens a WebSocket to the gateway that receives bytes as ArrayBuffer. */
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
