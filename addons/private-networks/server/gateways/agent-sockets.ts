import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws'
import { GATEWAY_CONNECTION_SOCKET, GATEWAY_SOCKET } from '@trainyard/platform/contract/words/network.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { AGENT_REFUSED, closeConnection, connectAgent, type ConnectedAgent, renewConnection } from '../agent.ts'
import { DEAD_MS, HANDSHAKE_MS, HEARTBEAT_MS, messageFromAgent, PORTAL_PURPOSE } from '../protocol/handshake.ts'
import { signFor } from '../protocol/signatures.ts'
import { MESSAGE_BYTES, Streams, StreamRefused } from '../protocol/streams.ts'
import { parseTicket, TICKET_HEADER, Tickets } from '../protocol/tickets.ts'
import type { RefusalAudit } from '@trainyard/platform/server/http/refusals.ts'
import { claimantOf, YieldingShares } from '@trainyard/platform/server/http/shares.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { readSigningKey } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { ticketKeyContext } from '../encryption-context.ts'
import { UPGRADE_BYTES } from './connect.ts'

export interface AgentSocketDependencies {
  readonly db: Db
  readonly seal: Pick<Seal, 'open'>
  readonly refusals: RefusalAudit
  readonly publicUrl: string
  /** Returns the URL at which other processes of the portal connect to this one. */
  readonly ownUrl: () => string
  readonly onBug: (bug: unknown) => void
}

interface ServedAgent {
  readonly agent: ConnectedAgent
  readonly streams: Streams
  readonly tickets: Tickets
  readonly socket: WebSocket
}

/**
 * Maximum number of agents that have not identified themselves yet. The oldest gives way to a new one, because an agent
 * identifies itself at once. Each is disconnected after `HANDSHAKE_MS`.
 */
const HANDSHAKES = { address: 10, all: 2_000 }
const GOING_AWAY = 1001

const SOCKETS = {
  noServer: true,
  perMessageDeflate: false,
  /** Milliseconds after which a socket that the portal closed is destroyed. */
  closeTimeout: 1_000,
}

/** The gateway agents that are connected to this process. */
export class AgentSockets {
  readonly #parts: AgentSocketDependencies
  readonly #agents = new Map<string, ServedAgent>()
  readonly #sockets = new WebSocketServer({ ...SOCKETS, maxPayload: MESSAGE_BYTES })
  readonly #connections = new WebSocketServer({ ...SOCKETS, maxPayload: UPGRADE_BYTES })
  readonly #heartbeat: NodeJS.Timeout
  readonly #serving = new Set<Promise<void>>()
  readonly #handshakes = new YieldingShares(HANDSHAKES)

  constructor(parts: AgentSocketDependencies) {
    this.#parts = parts
    this.#heartbeat = setInterval(() => {
      for (const served of this.#agents.values()) this.#renew(served).catch(parts.onBug)
    }, HEARTBEAT_MS)
  }

  /** Serves a request to a socket of the gateways. Returns false if the request is for another socket. */
  upgrade(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    { address, refuse }: { readonly address: string; readonly refuse: (status: string) => void },
  ): boolean {
    const isAgent = request.url === `/api${GATEWAY_SOCKET}`
    if (!isAgent && request.url !== `/api${GATEWAY_CONNECTION_SOCKET}`) return false
    // Agents and processes of the portal are no browsers.
    if (request.headers.origin !== undefined) refuse('403 Forbidden')
    else if (isAgent) this.#upgradeAgent(request, stream, head, address)
    else {
      this.#serveConnection(request, stream, head, refuse).catch((bug: unknown) => {
        this.#parts.onBug(bug)
        refuse('503 Service Unavailable')
      })
    }
    return true
  }

  #upgradeAgent(request: IncomingMessage, stream: Duplex, head: Buffer, address: string): void {
    const release = this.#handshakes.acquire(claimantOf(null, address), () => stream.destroy())
    stream.once('close', release)
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      const serving = this.#serveAgent(socket, address, release).catch(this.#parts.onBug)
      this.#serving.add(serving)
      void serving.finally(() => this.#serving.delete(serving))
    })
  }

  /**
   * Opens a stream if the agent with this connection is connected to this process.
   * @throws StreamRefused
   */
  open(connection: string, ticket: string, signal: AbortSignal): Promise<Duplex> | null {
    return this.#agents.get(connection)?.streams.open(ticket, signal) ?? null
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    for (const { socket } of this.#agents.values()) socket.close(GOING_AWAY)
    for (const socket of this.#sockets.clients) setImmediate(() => socket.terminate())
    for (const socket of this.#connections.clients) socket.terminate()
    await Promise.all(this.#serving)
  }

  async #serveAgent(socket: WebSocket, address: string, identified: () => void): Promise<void> {
    socket.on('error', () => socket.terminate())
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
    const agent = await this.#identify(socket, address).finally(identified)
    if (agent === null) return closed
    const watch = setTimeout(() => socket.terminate(), DEAD_MS)
    socket.on('pong', () => void watch.refresh())
    const route = { network: agent.network, connection: agent.connection }
    const served = {
      agent,
      socket,
      streams: new Streams(socket, null),
      tickets: new Tickets(agent.ticketPublicKey, route),
    }
    if (socket.readyState === WebSocket.OPEN) this.#agents.set(agent.connection, served)
    await closed
    clearTimeout(watch)
    this.#agents.delete(agent.connection)
    await closeConnection(this.#parts.db, agent)
  }

  /** Identifies an agent. Returns null after it has refused the agent. */
  async #identify(socket: WebSocket, address: string): Promise<ConnectedAgent | null> {
    const { db, seal, publicUrl, refusals, ownUrl } = this.#parts
    const requestId = randomUUID()
    const nonce = randomBytes(32).toString('base64url')
    try {
      socket.send(JSON.stringify({ kind: 'hello', nonce }))
      const message = await firstMessage(socket)
      if (message === null) return null
      const at = { nonce, origin: new URL(publicUrl).origin, heldAt: ownUrl(), address, requestId }
      const agent = await db
        .transaction()
        .execute((tx) => connectAgent(tx, message, at))
        .catch(async (error: unknown) => {
          const request = { network: message.network }
          await refusals.write(null, error, { name: 'gateway.connect', requestId, actor: null, address, request })
          if (error instanceof Problem) return null
          throw error
        })
      if (agent === null) {
        socket.send(JSON.stringify({ kind: 'refused', sentence: AGENT_REFUSED }))
        socket.close()
        return null
      }
      const { connection, name, network, ranges, ticketPublicKey, now } = agent
      const key = readSigningKey(seal.open(agent.ticketKey, ticketKeyContext(network)))
      const proof = [network, message.nonce, connection, JSON.stringify(ranges)]
      const signature = signFor(key, PORTAL_PURPOSE, ...proof)
      const publicKey = ticketPublicKey.toString('base64url')
      socket.send(
        JSON.stringify({ kind: 'accepted', connection, name, ranges, publicKey, signature, now: now.getTime() }),
      )
      return agent
    } catch (error) {
      socket.terminate()
      throw error
    }
  }

  async #renew({ agent, socket }: ServedAgent): Promise<void> {
    const renewed = await renewConnection(this.#parts.db, agent)
    // The agent was revoked, or a later connection of the agent replaces this one.
    if (renewed === null) return socket.terminate()
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send(JSON.stringify({ kind: 'news', ranges: renewed.ranges, now: renewed.now.getTime() }))
    socket.ping()
  }

  /** The signed ticket authorises the other process. A ticket is valid once, for one port of one machine. */
  async #serveConnection(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    refuse: (status: string) => void,
  ): Promise<void> {
    const text = String(request.headers[TICKET_HEADER] ?? '')
    const served = this.#agents.get(parseTicket(text)?.connection ?? '')
    if (served === undefined) return refuse('404 Not Found')
    const now = await portalNow(this.#parts.db)
    if (served.tickets.take(text, now.getTime()) === null) return refuse('403 Forbidden')
    const disconnected = new AbortController()
    stream.once('close', () => disconnected.abort())
    let opened: Duplex
    try {
      opened = await served.streams.open(
        text,
        AbortSignal.any([disconnected.signal, AbortSignal.timeout(HANDSHAKE_MS)]),
      )
    } catch (error) {
      if (!(error instanceof StreamRefused)) throw error
      return refuse('502 Bad Gateway')
    }
    if (stream.destroyed) return void opened.destroy()
    this.#connections.handleUpgrade(request, stream, head, (socket) => {
      const other = createWebSocketStream(socket, { allowHalfOpen: false })
      other.on('error', () => opened.destroy()).on('close', () => opened.destroy())
      opened.on('error', () => other.destroy()).on('close', () => other.end())
      other.pipe(opened).pipe(other)
    })
  }
}

async function firstMessage(socket: WebSocket) {
  const timeout = setTimeout(() => socket.terminate(), HANDSHAKE_MS)
  try {
    const [data, isBinary] = (await Promise.race([once(socket, 'message'), once(socket, 'close')])) as [Buffer, boolean]
    if (!Buffer.isBuffer(data) || isBinary || socket.readyState !== WebSocket.OPEN) {
      socket.terminate()
      return null
    }
    const read = messageFromAgent.safeParse(parseJson(data))
    if (read.success) return read.data
    socket.terminate()
    return null
  } catch {
    // The client violates the WebSocket protocol, for example with a message that is too long.
    socket.terminate()
    return null
  } finally {
    clearTimeout(timeout)
  }
}

function parseJson(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'))
  } catch {
    return null
  }
}
