import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { AzureContext } from '../arm/mount.ts'
import { acceptsConnections, machineAt } from './reachable-machine.ts'
import { passes, type TrafficSource } from './traffic.ts'

function sourceOf(login: string | undefined): TrafficSource {
  const [address = '', network = ''] = Buffer.from(login?.replace(/^Basic /i, '') ?? '', 'base64')
    .toString('utf8')
    .split(':')
  return {
    address: address === '' ? DEFAULT_CLIENT_ADDRESS : address,
    network: network === '' ? null : network.toLowerCase(),
  }
}

/** Address of a client that does not send one. */
const DEFAULT_CLIENT_ADDRESS = '198.18.0.1'

/**
 * Connects `CONNECT 203.0.113.7:22` to the machine at that address and never to the host's own network. The proxy
 * user name is the client's address. The proxy password is the client's virtual network (`group/name`); the client then
 * reaches the machines of that network at their private addresses. Without a login, the client is on the internet.
 * @returns a function that closes all connections
 */
export function mountTunnel(server: Server, context: AzureContext): () => void {
  const open = new Set<Socket>()
  server.on('connect', (request, stream) => {
    const socket = stream as Socket
    socket.on('error', () => socket.destroy())
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    const target = /^([\d.]{7,15}):(\d{1,5})$/.exec(request.url ?? '')
    if (target === null) return refuse('400 Bad Request')
    context.cloud.operations.settle(context.clock.now())
    const source = sourceOf(request.headers['proxy-authorization'])
    const found = machineAt(context.cloud, target[1]!, source)
    if (found === undefined || !acceptsConnections(context.cloud, found.machine, context.clock.now()))
      return refuse('502 Bad Gateway')
    const port = Number(target[2])
    // A real proxy reports an unreachable machine only after a timeout.
    if (!passes(context.cloud, found.networkInterface, { source, protocol: 'Tcp', port }))
      return refuse('504 Gateway Timeout')
    const serve = context.inside.programs.at(found, port)
    if (serve === null) return refuse('502 Bad Gateway')
    socket.setNoDelay(true)
    open.add(socket.on('close', () => open.delete(socket)))
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    serve(socket)
  })
  return () => {
    for (const socket of open) socket.destroy()
  }
}
