import { connect as connectTcp } from 'node:net'

const PATIENCE_MS = 3_000

/** Tells whether the mail system takes connections. */
export function mailAnswers({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port })
    const end = (up: boolean) => {
      socket.destroy()
      resolve(up)
    }
    socket.setTimeout(PATIENCE_MS, () => end(false))
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
  })
}
