import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type Inhabitant, mayLogIn } from '#src/ssh/inhabitants.ts'
import { followMachine } from '#src/ssh/follow.ts'
import type { Computers } from '#src/ssh/computers.ts'
import type { Certificates } from './certificate.ts'
import { type Desk, emptyDesk } from './desk.ts'
import { DesktopSession } from './session.ts'

/** A connection that does not get as far as TLS is cut. */
const PATIENCE_MS = 20_000
const TLS = 1

/** The confirmation of a connection request: the session is spoken in TLS. Source: MS-RDPBCGR, section 2.2.1.2 */
const CONFIRM = Buffer.from('030000130ed000001234000200080001000000', 'hex')
/** Refuses a client that offers no TLS, section 2.2.1.2.2: SSL_REQUIRED_BY_SERVER. */
const REFUSE = Buffer.from('030000130ed000001234000300080001000000', 'hex')

/** A machine's desks, for as long as this process lives. */
export class Desks {
  readonly #desks = new Map<string, Desk>()

  of({ facts }: Inhabitant): Desk {
    const desk = this.#desks.get(facts.uid) ?? emptyDesk(facts.hostname)
    this.#desks.set(facts.uid, desk)
    return desk
  }
}

/** A Windows machine's own Remote Desktop server, for one connection: TLS, then a drawn desktop. */
export function serveDesktop(
  socket: Socket,
  inhabitant: Inhabitant,
  far: { readonly computers: Computers; readonly certificates: Certificates; readonly desks: Desks },
): void {
  let heard = Buffer.alloc(0)
  const impatience = setTimeout(() => socket.destroy(), PATIENCE_MS)
  followMachine(socket, inhabitant.facts.uid, far.computers)
  socket.on('close', () => clearTimeout(impatience))
  const hear = (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes])
    if (heard.length < 7 || heard.length < heard.readUInt16BE(2)) return
    if (heard[0] !== 3 || heard[5] !== 0xe0) return void socket.destroy()
    socket.off('data', hear)
    socket.pause()
    if (!offersTls(heard)) return void socket.end(REFUSE)
    far.certificates.of(inhabitant.facts.uid, inhabitant.facts.hostname).then(
      ({ cert, key }) => {
        socket.write(CONFIRM)
        const secured = new TLSSocket(socket, { isServer: true, cert, key })
        secured.on('error', () => socket.destroy())
        secured.once('secure', () => clearTimeout(impatience))
        const lets = (account: string, password: string) => mayLogIn(inhabitant, account, password)
        return new DesktopSession(secured, far.desks.of(inhabitant), lets)
      },
      () => socket.destroy(),
    )
  }
  socket.on('data', hear)
}

/** The last eight bytes of a request say what it offers, section 2.2.1.1.1. */
const offersTls = (request: Buffer): boolean =>
  request.at(-8) === 1 && (request.readUInt32LE(request.length - 4) & TLS) !== 0
