import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { EmulatorContext } from '#src/azure/arm/mount.ts'
import { Certificates } from '#src/desktop/certificate.ts'
import { connectToReal, RealDesktops } from '#src/desktop/real-desktops.ts'
import { DesktopContents, serveDesktop } from '#src/desktop/machine-desktop.ts'
import { Computers } from '#src/ssh/computers.ts'
import { HostKeys } from '#src/ssh/host-keys.ts'
import { acceptsConnections, machineAt } from '#src/ssh/reachable-machine.ts'
import { serveSsh } from '#src/ssh/machine-ssh.ts'

const PORTS = { Linux: 22, Windows: 3389 } as const

export interface Tunnel {
  readonly keys: HostKeys
  readonly certificates: Certificates
  readonly realDesktops: RealDesktops
  close(): void
}

/** Connects `CONNECT 203.0.113.7:22` to the machine at that address and never to the host's own network. */
export function mountTunnel(server: Server, context: EmulatorContext): Tunnel {
  const keys = new HostKeys(context.cloud.database)
  const certificates = new Certificates(context.cloud.database)
  const computers = new Computers(context.cloud, context.clock)
  const desktops = new DesktopContents()
  const realDesktops = new RealDesktops()
  const open = new Set<Socket>()
  server.on('connect', (request, stream) => {
    const socket = stream as Socket
    socket.on('error', () => socket.destroy())
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    const target = /^([\d.]{7,15}):(\d{1,5})$/.exec(request.url ?? '')
    if (target === null) return refuse('400 Bad Request')
    context.cloud.operations.settle(context.clock.now())
    const found = machineAt(context.cloud, target[1]!)
    if (found === undefined || !acceptsConnections(context.cloud, found.machine, context.clock.now()))
      return refuse('502 Bad Gateway')
    const port = Number(target[2])
    const real = port === PORTS.Windows ? realDesktops.portOf(found.facts.uid) : undefined
    if (port !== PORTS[found.machine.os] && real === undefined) return refuse('502 Bad Gateway')
    socket.setNoDelay(true)
    open.add(socket.on('close', () => open.delete(socket)))
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (real !== undefined) connectToReal(real, socket, found.facts.uid, computers)
    else if (found.machine.os === 'Windows') serveDesktop(socket, found, { computers, certificates, desktops })
    else serveSsh(socket, found, { computers, keys })
  })
  return {
    keys,
    certificates,
    realDesktops,
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}
