import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../core/network.ts'
import { Shares } from './shares.ts'

/** Maximum number of open connections of the process, if its limit of files allows them. Further ones are closed. */
const CONNECTIONS_MAX = 20_000
/** Files of a connection: the socket, and the file that is sent or the connection to a machine. */
const FILES_PER_CONNECTION = 2
/** Files of the process that are no connections of clients: database, log, sockets that listen. */
const OTHER_FILES = 400
/**
 * Maximum number of connections that wait to be accepted by one socket. Linux limits it to net.core.somaxconn, 4096 by
 * default. Beyond the maximum, a client tries again only after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4_096
/**
 * Number of sockets that listen on the port. Node accepts one connection per socket and turn of its event loop (libuv
 * pull request 3696). A turn takes 30 ms under overload, so that a single socket accepts about 35 connections
 * per second.
 */
const SOCKETS = 128
/** Other systems do not distribute connections between sockets that share a port. */
const canSharePort = process.platform === 'linux'

/** Returns the number of connections that the process can hold. Beyond its limit of open files, accepting fails for all. */
function connectionsMax(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } }
  const files = Number(report.userLimits?.open_files?.soft)
  if (!Number.isFinite(files)) return CONNECTIONS_MAX
  return Math.min(CONNECTIONS_MAX, Math.max(1, Math.floor((files - OTHER_FILES) / FILES_PER_CONNECTION)))
}

/**
 * Limits the open connections, of which one network may have half. Closes connections that wait for a request when half
 * of all are used, so that they do not prevent users from connecting. Also lets calls read their client's address
 * (`request.ip`) after the client has left.
 * @param isProxy true for a peer whose connections are those of many clients
 */
export function limitConnections(
  { server }: FastifyInstance,
  { max = connectionsMax(), isProxy }: { readonly max?: number; readonly isProxy: (address: string) => boolean },
): void {
  const half = Math.ceil(max / 2)
  const shares = new Shares({ address: half, all: max })
  let open = 0
  server.on('connection', (socket) => {
    // Node remembers an address that was read. The address of a socket that its client has closed cannot be read.
    const { remoteAddress: peer = '' } = socket
    const release = shares.acquire(isProxy(peer) ? {} : { address: networkOf(peer) })
    if (typeof release === 'string') return void socket.destroy()
    open += 1
    socket.once('close', () => {
      open -= 1
      release()
    })
    if (open > half) server.closeIdleConnections()
  })
}

/**
 * Listens on a port with several sockets, so that new clients are accepted quickly under load.
 * @throws Error of Node's `listen`, such as EADDRINUSE
 */
export async function listen(
  server: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const further: Server[] = []
  const closed: Promise<unknown>[] = []
  server.addHook('preClose', async () => {
    for (const socket of further) {
      closed.push(once(socket, 'close'))
      socket.close()
    }
  })
  server.addHook('onClose', async () => void (await Promise.all(closed)))
  await server.ready()
  const options = { backlog: BACKLOG, reusePort: canSharePort }
  if (canSharePort) await requireFreePort(host, port)
  await server.listen({ host, port, ...options })
  if (!canSharePort) return
  const shared = (server.server.address() as AddressInfo).port
  const add = async () => {
    const socket = createServer({ allowHalfOpen: true, noDelay: true }, (connection) =>
      server.server.emit('connection', connection),
    )
    further.push(socket)
    socket.listen({ host, port: shared, ...options })
    await once(socket, 'listening')
  }
  await Promise.all(Array.from({ length: SOCKETS - 1 }, add))
}

/** Sockets that share a port do not report that another process of the same user listens on it. */
async function requireFreePort(host: string, port: number): Promise<void> {
  const exclusive = createServer().listen({ host, port, exclusive: true })
  await once(exclusive, 'listening')
  exclusive.close()
  await once(exclusive, 'close')
}
