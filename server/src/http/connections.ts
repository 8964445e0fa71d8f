import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Number of open connections above which idle ones are closed. */
const IDLE_CONNECTIONS_MAX = 10_000
/** Maximum number of open connections of the process. Further ones are closed. */
const CONNECTIONS_MAX = 20_000
/**
 * Maximum number of connections that wait to be accepted by one socket. Linux limits it to net.core.somaxconn, 4096 by
 * default. Beyond the maximum, a client tries again only after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4_096
/**
 * Number of sockets that listen on the port. Node accepts one connection per socket and turn of its event loop (libuv
 * pull request 3696). A turn takes 30 ms under overload, so that a single socket accepts about 35 connections per
 * second. See decision 268.
 */
const SOCKETS = 128
/** Other systems do not distribute connections between sockets that share a port. */
const canSharePort = process.platform === 'linux'

/**
 * Closes connections that wait for a request when there are too many, so that they do not prevent users from
 * connecting. Also lets calls read their client's address (`request.ip`) after the client has left.
 */
export function limitConnections({ server }: FastifyInstance): void {
  let open = 0
  server.on('connection', (socket) => {
    // Node remembers an address that was read. The address of a socket that its client has closed cannot be read.
    void socket.remoteAddress
    open += 1
    socket.once('close', () => (open -= 1))
    if (open > IDLE_CONNECTIONS_MAX) server.closeIdleConnections()
    if (open > CONNECTIONS_MAX) socket.destroy()
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
