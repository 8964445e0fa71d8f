import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Front } from '#src/azure/arm/mount.ts'
import { Certificates } from '#src/desktop/certificate.ts'
import { leadTo, LentDesktops } from '#src/desktop/lent.ts'
import { Desks, serveDesktop } from '#src/desktop/machine-desktop.ts'
import { Computers } from '#src/ssh/computers.ts'
import { HostKeys } from '#src/ssh/host-keys.ts'
import { isUp, machineAt } from '#src/ssh/inhabitants.ts'
import { serveSsh } from '#src/ssh/machine-ssh.ts'

/** The port that a machine of each system is entered by. */
const PORTS = { Linux: 22, Windows: 3389 } as const

export interface Tunnel {
  readonly keys: HostKeys
  readonly certificates: Certificates
  readonly lent: LentDesktops
  close(): void
}

/**
 * The way to the invented public addresses: `CONNECT 203.0.113.7:22` on the emulator's HTTP port leads to what stands
 * there, and to nothing of this host.
 */
export function mountTunnel(server: Server, front: Front): Tunnel {
  const keys = new HostKeys(front.cloud.book)
  const certificates = new Certificates(front.cloud.book)
  const computers = new Computers(front.cloud, front.clock)
  const desks = new Desks()
  const lent = new LentDesktops()
  const open = new Set<Socket>()
  server.on('connect', (request, stream) => {
    const socket = stream as Socket
    socket.on('error', () => socket.destroy())
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    const target = /^([\d.]{7,15}):(\d{1,5})$/.exec(request.url ?? '')
    if (target === null) return refuse('400 Bad Request')
    front.cloud.operations.settle(front.clock.now())
    const found = machineAt(front.cloud, target[1]!)
    if (found === undefined || !isUp(front.cloud, found.machine, front.clock.now())) return refuse('502 Bad Gateway')
    const port = Number(target[2])
    const real = port === PORTS.Windows ? lent.of(found.facts.uid) : undefined
    if (port !== PORTS[found.machine.os] && real === undefined) return refuse('502 Bad Gateway')
    socket.setNoDelay(true)
    open.add(socket.on('close', () => open.delete(socket)))
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (real !== undefined) leadTo(real, socket, found.facts.uid, computers)
    else if (found.machine.os === 'Windows') serveDesktop(socket, found, { computers, certificates, desks })
    else serveSsh(socket, found, { computers, keys })
  })
  return {
    keys,
    certificates,
    lent,
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}
