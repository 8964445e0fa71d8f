import type { Socket } from 'node:net'

/** A connection that goes no further is cut. */
const PATIENCE_MS = 20_000

/**
 * The answer to a connection request: confirmed, with CredSSP (network level authentication), which is what Windows asks
 * for unless it was told otherwise. Nobody can go further here.
 * Source: MS-RDPBCGR, section 2.2.1.2,
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-rdpbcgr/13757f8f-66db-4273-9d2c-385c33b1e483
 */
const CONFIRM = Buffer.from('030000130ed000001234000200080002000000', 'hex')

/** A Windows machine's own Remote Desktop server, as far as its greeting. */
export function serveRdp(socket: Socket): void {
  let heard = Buffer.alloc(0)
  let greeted = false
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.on('data', (bytes) => {
    heard = Buffer.concat([heard, bytes])
    if (heard.length < 7) return
    const isRequest = heard[0] === 3 && heard[5] === 0xe0
    // A second word would begin the handshake of TLS.
    if (greeted || !isRequest) return void socket.destroy()
    greeted = true
    heard = Buffer.alloc(0)
    socket.write(CONFIRM)
  })
}
