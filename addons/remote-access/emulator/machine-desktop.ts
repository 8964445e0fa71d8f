import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type ReachableMachine, acceptsLogin } from '@trainyard/azure/emulator/network/reachable-machine.ts'
import { disconnectOnStop } from './disconnect-on-stop.ts'
import type { Computers } from './computers.ts'
import type { Certificates } from './certificate.ts'
import { type DesktopContent, emptyDesktop } from './content.ts'
import { DesktopSession } from './session.ts'

const TLS_TIMEOUT_MS = 20_000
const TLS = 1

/** Connection confirm that selects TLS. Source: MS-RDPBCGR, section 2.2.1.2 */
const CONFIRM = Buffer.from('030000130ed000001234000200080001000000', 'hex')
/** Refusal of a client without TLS, section 2.2.1.2.2: SSL_REQUIRED_BY_SERVER. */
const REFUSE = Buffer.from('030000130ed000001234000300080001000000', 'hex')

export class DesktopContents {
  readonly #desktops = new Map<string, DesktopContent>()

  get({ facts }: ReachableMachine): DesktopContent {
    const desktop = this.#desktops.get(facts.uid) ?? emptyDesktop(facts.hostname)
    this.#desktops.set(facts.uid, desktop)
    return desktop
  }
}

export function serveDesktop(
  socket: Socket,
  reachable: ReachableMachine,
  services: { readonly computers: Computers; readonly certificates: Certificates; readonly desktops: DesktopContents },
): void {
  let received = Buffer.alloc(0)
  const loginTimeout = setTimeout(() => socket.destroy(), TLS_TIMEOUT_MS)
  disconnectOnStop(socket, reachable.facts.uid, services.computers)
  socket.on('close', () => clearTimeout(loginTimeout))
  const receive = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    if (received.length < 7 || received.length < received.readUInt16BE(2)) return
    if (received[0] !== 3 || received[5] !== 0xe0) return void socket.destroy()
    socket.off('data', receive)
    socket.pause()
    if (!offersTls(received)) return void socket.end(REFUSE)
    services.certificates.get(reachable.facts.uid, reachable.facts.hostname).then(
      ({ cert, key }) => {
        socket.write(CONFIRM)
        const secured = new TLSSocket(socket, { isServer: true, cert, key })
        secured.on('error', () => socket.destroy())
        secured.once('secure', () => clearTimeout(loginTimeout))
        const checkLogin = (account: string, password: string) => acceptsLogin(reachable, account, password)
        return new DesktopSession(secured, services.desktops.get(reachable), checkLogin)
      },
      () => socket.destroy(),
    )
  }
  socket.on('data', receive)
}

/** The last eight bytes of a request state what the client offers, section 2.2.1.1.1. */
const offersTls = (request: Buffer): boolean =>
  request.at(-8) === 1 && (request.readUInt32LE(request.length - 4) & TLS) !== 0
