import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocket } from 'ws'
import { GATEWAY_CONNECTION_SOCKET } from '@trainyard/platform/contract/words/network.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { issueConnectionTicket, type IssuedTicket } from '../agent.ts'
import { StreamRefused } from '../protocol/streams.ts'
import { TICKET_HEADER } from '../protocol/tickets.ts'
import type { Gateways } from '@trainyard/templates/server/machine-address.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'

/** Maximum size of a message between two processes of the portal. */
export const UPGRADE_BYTES = 1024 * 1024

export interface GatewayDependencies {
  readonly db: Db
  readonly seal: Pick<Seal, 'open'>
  /**
   * Opens a stream of an agent that is connected to this process; returns null if the agent is connected to another
   * process.
   */
  readonly own: ((connection: string, ticket: string, signal: AbortSignal) => Promise<Duplex> | null) | null
}

/** Returns gateways that connect through the agent of a network, to whichever process of the portal it is connected. */
export const gatewaysOf = ({ db, seal, own }: GatewayDependencies): Gateways => ({
  async connect(network, address, port, signal) {
    const issued = await issueConnectionTicket(db, seal, network, { address, port })
    if (issued === null) throw new ShellError('noGateway', `No gateway is connected to reach ${address}.`)
    try {
      return await (own?.(issued.connection, issued.text, signal) ?? connectOverPeer(issued, signal))
    } catch (cause) {
      if (cause instanceof ShellError) throw cause
      const reason = cause instanceof StreamRefused ? cause.message : 'The gateway could not be used.'
      throw new ShellError('unreachable', `${address} could not be reached. ${reason}`, { cause })
    }
  },
})

async function connectOverPeer({ heldAt, text }: IssuedTicket, signal: AbortSignal): Promise<Duplex> {
  const url = new URL(`/api${GATEWAY_CONNECTION_SOCKET}`, heldAt)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, {
    headers: { [TICKET_HEADER]: text },
    maxPayload: UPGRADE_BYTES,
    perMessageDeflate: false,
  })
  // Attached before the connection is open: the machine may speak first, in the packet that opens it.
  const stream = createWebSocketStream(socket, { allowHalfOpen: false })
  stream.on('error', () => stream.destroy())
  const stop = () => socket.terminate()
  signal.addEventListener('abort', stop, { once: true })
  let status: number | undefined
  socket.on('unexpected-response', (_request, { statusCode }: IncomingMessage) => {
    status = statusCode
    socket.terminate()
  })
  socket.on('error', () => {})
  try {
    await once(socket, 'open', { signal })
  } catch (cause) {
    socket.terminate()
    const isAgentLost = status === undefined || status === 404
    throw new ShellError(
      isAgentLost && !signal.aborted ? 'noGateway' : 'unreachable',
      `The gateway could not be used through ${heldAt}${status === undefined ? '' : ` (status ${status})`}.`,
      { cause },
    )
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return stream
}
