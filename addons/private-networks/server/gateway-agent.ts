import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { GATEWAY_SOCKET, isAddressIn } from '@trainyard/platform/contract/words/network.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { REMOTE_PROTOCOLS } from '@trainyard/machines/server/ssh/probe.ts'
import { type EgressProxy, proxyAgent, proxyFor } from '@trainyard/platform/server/providers/egress.ts'
import { isLoopback } from '@trainyard/platform/server/providers/loopback.ts'
import { canBeMachine, connectTo } from '@trainyard/machines/server/ssh/dial.ts'
import { publicKeyOf } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import {
  type AgentState,
  privateKeyOf,
  readAgentState,
  readNextAgentState,
  writeAgentState,
  writeNextAgentState,
} from './agent-state.ts'
import { enrolmentProof, readEnrolmentToken } from './protocol/enrolment-token.ts'
import {
  AGENT_PURPOSE,
  acceptedByPortal,
  type AcceptedByPortal,
  DEAD_MS,
  HANDSHAKE_MS,
  helloFromPortal,
  type MessageFromAgent,
  newsFromPortal,
  PORTAL_PURPOSE,
  refusedByPortal,
} from './protocol/handshake.ts'
import { fingerprintOf, isSignedFor, makeSigningKeys, signFor } from './protocol/signatures.ts'
import { MESSAGE_BYTES, StreamRefused, Streams } from './protocol/streams.ts'
import { Tickets } from './protocol/tickets.ts'

export interface AgentSettings {
  /** Public URL of the portal. */
  readonly portal: string
  /** Enrols the agent on its first start; null: it is enrolled already. */
  readonly token: string | null
  readonly dataDir: string
  /**
   * Address ranges to which the agent connects, whatever the portal requests; null: all ranges that the portal
   * requests.
   */
  readonly ranges: readonly string[] | null
  /** HTTP proxy for connections to machines; null: direct. */
  readonly machineProxy: string | null
  /** Proxy for the connection to the portal; omitted: direct. */
  readonly egressProxy?: EgressProxy | null
  readonly version: string
}

export interface AgentDependencies {
  /** Receives a sentence about each change of the connection, for the operator. */
  readonly logMessage: (sentence: string) => void
  /** First pause before a reconnection, in milliseconds. It doubles with each failure. */
  readonly reconnectMs?: number
}

const RECONNECT_MS = 1_000
const RECONNECT_MAX_MS = 30_000

class PortalRefused extends Error {
  override readonly name = 'PortalRefused'
}

/**
 * Connects to the portal and reconnects until the signal aborts.
 * @throws ConfigError if the agent has no identity and no valid token
 */
export async function runAgent(settings: AgentSettings, parts: AgentDependencies, signal: AbortSignal): Promise<void> {
  const { logMessage, reconnectMs = RECONNECT_MS } = parts
  requireEncryption(settings)
  let state = identityOf(settings)
  let failures = 0
  let lastSentence = ''
  let previous: string | null = null
  while (!signal.aborted) {
    try {
      await serveOnce(settings, state, {
        signal,
        previous,
        accepted({ name, publicKey, connection }) {
          failures = 0
          previous = connection
          lastSentence = ''
          logMessage(`Connected to ${settings.portal} as the gateway of ${name}.`)
          if (state.portalKey === publicKey) return
          state = withPortalKey(state, publicKey)
          writeAgentState(settings.dataDir, state)
        },
      })
      if (!signal.aborted) logMessage('The connection to the portal ended. Reconnecting.')
    } catch (error) {
      const sentence = `Cannot connect to ${settings.portal}: ${(error as Error).message}`
      if (sentence !== lastSentence) logMessage(sentence)
      lastSentence = sentence
      failures = error instanceof PortalRefused ? Number.POSITIVE_INFINITY : failures + 1
    }
    // Jitter spreads the reconnections of many agents after a restart of the portal.
    const maximum = Math.min(RECONNECT_MAX_MS, reconnectMs * 2 ** failures)
    await pause(maximum * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
  }
}

const withPortalKey = (state: AgentState, portalKey: string): AgentState => ({ ...state, portalKey })

function requireEncryption({ portal }: AgentSettings): void {
  const { protocol, hostname } = new URL(portal)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw new ConfigError('GATEWAY_PORTAL must be an https address, because learners’ sessions pass through it.')
}

function identityOf({ dataDir, token }: AgentSettings): AgentState {
  const stored = readAgentState(dataDir)
  if (token === null) {
    if (stored !== null) return stored
    throw new ConfigError('GATEWAY_TOKEN must be set at the first start: issue a token in the portal, under Networks.')
  }
  const fingerprint = createHash('sha256').update(token.trim()).digest('base64url')
  if (stored?.token === fingerprint) return stored
  const next = readNextAgentState(dataDir)
  if (next?.token === fingerprint) return next
  const read = readEnrolmentToken(token)
  if (read === null) throw new ConfigError('GATEWAY_TOKEN is not a token of the portal: copy it completely.')
  const state = {
    network: read.network,
    privateKey: makeSigningKeys().privateKey,
    portalKey: null,
    token: fingerprint,
  }
  // The identity is written before it is sent. If the portal's reply is lost, the agent continues with the same key.
  writeNextAgentState(dataDir, state)
  return state
}

interface ServeOptions {
  readonly signal: AbortSignal
  /** The preceding connection; null: this is the first one of the process. */
  readonly previous: string | null
  readonly accepted: (message: AcceptedByPortal) => void
}

/** Serves one connection to the portal until it ends. */
async function serveOnce(
  settings: AgentSettings,
  state: AgentState,
  { signal, previous, accepted }: ServeOptions,
): Promise<void> {
  const url = new URL(`/api${GATEWAY_SOCKET}`, settings.portal)
  url.protocol = url.protocol.replace('http', 'ws')
  const proxy = proxyFor(new URL(settings.portal), settings.egressProxy ?? null)
  const socket = new WebSocket(url, {
    ...(proxy !== null && { agent: await proxyAgent(proxy) }),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  const closed = new Promise<void>((resolve) => void socket.once('close', resolve))
  const stop = () => socket.terminate()
  signal.addEventListener('abort', stop, { once: true })
  let failure: Error | null = null
  socket.on('error', (error) => (failure ??= error))
  const watch = setTimeout(stop, DEAD_MS)
  const alive = () => void watch.refresh()
  socket.on('ping', alive).on('message', alive)
  try {
    const messages = textMessages(socket)
    const connector = Promise.withResolvers<Connector>()
    connector.promise.catch(() => {})
    // Created before the introduction ends, because the portal may open a stream right after it.
    // oxlint-disable-next-line no-new -- it serves the socket until that closes
    new Streams(socket, async (ticket, stream) => (await connector.promise)(ticket, stream))
    const message = await introduce(settings, state, socket, { messages, previous }).catch((error: unknown) => {
      connector.reject(error)
      throw error
    })
    accepted(message)
    connector.resolve(connectorOf(settings, state, socket, { message, messages }))
    await closed
  } catch (error) {
    throw failure ?? error
  } finally {
    clearTimeout(watch)
    signal.removeEventListener('abort', stop)
    socket.terminate()
  }
}

interface TextMessages {
  /** Rejects if the socket closes first. */
  next(): Promise<unknown>
  /** Receives the messages that no `next` awaits. */
  onOther: ((message: unknown) => void) | null
}

function textMessages(socket: WebSocket): TextMessages {
  const received: unknown[] = []
  let awaited: PromiseWithResolvers<unknown> | null = null
  const closed = once(socket, 'close').then(() => {
    throw new Error('The portal closed the connection.')
  })
  closed.catch(() => {})
  const messages: TextMessages = {
    onOther: null,
    next() {
      if (received.length > 0) return Promise.resolve(received.shift())
      awaited = Promise.withResolvers()
      return Promise.race([awaited.promise, closed])
    },
  }
  socket.on('message', (data, isBinary) => {
    if (isBinary) return
    let message: unknown
    try {
      message = JSON.parse((data as Buffer).toString('utf8'))
    } catch {
      return socket.terminate()
    }
    if (messages.onOther !== null) return messages.onOther(message)
    if (awaited === null) return void received.push(message)
    awaited.resolve(message)
    awaited = null
  })
  return messages
}

/** Identifies the agent to the portal, and checks that this portal enrolled it. */
async function introduce(
  { portal, token, ranges, version }: AgentSettings,
  state: AgentState,
  socket: WebSocket,
  { messages, previous }: { readonly messages: TextMessages; readonly previous: string | null },
): Promise<AcceptedByPortal> {
  const hello = helloFromPortal.parse(await messages.next())
  const key = privateKeyOf(state)
  const nonce = randomBytes(32).toString('base64url')
  const publicKey = publicKeyOf(key).toString('base64url')
  const introduction = [state.network, hello.nonce, new URL(portal).origin, publicKey]
  const signed = signFor(key, AGENT_PURPOSE, ...introduction)
  const identity = {
    network: state.network,
    nonce,
    signature: signed,
    version,
    ranges: ranges === null ? null : [...ranges],
    previous,
  }
  const enrolment = state.portalKey === null ? readEnrolmentToken(token ?? '') : null
  if (state.portalKey === null && enrolment === null) {
    throw new PortalRefused('the enrolment was not completed. Set GATEWAY_TOKEN to the token that was used.')
  }
  const message: MessageFromAgent =
    enrolment === null
      ? { kind: 'connect', ...identity }
      : {
          kind: 'enrol',
          proof: enrolmentProof(createHash('sha256').update(enrolment.secret).digest(), ...introduction),
          publicKey,
          ...identity,
        }
  socket.send(JSON.stringify(message))
  const reply = await messages.next()
  const refusal = refusedByPortal.safeParse(reply)
  if (refusal.success) throw new PortalRefused(refusal.data.sentence)
  const accepted = acceptedByPortal.parse(reply)
  const portalKey = Buffer.from(accepted.publicKey, 'base64url')
  const isKnown =
    enrolment === null ? accepted.publicKey === state.portalKey : fingerprintOf(portalKey) === enrolment.portal
  const { signature, connection } = accepted
  const proof = [state.network, nonce, connection, JSON.stringify(accepted.ranges)]
  if (!isKnown || !isSignedFor(portalKey, signature, PORTAL_PURPOSE, ...proof)) {
    throw new PortalRefused('another server answers there than the portal that issued the token.')
  }
  return accepted
}

/** Ports of a machine to which the agent connects, whatever the portal requests. */
const PORTS: ReadonlySet<number> = new Set(Object.values(REMOTE_PROTOCOLS).map(({ port }) => port))

type Connector = (ticket: string, stream: Duplex) => Promise<void>

/** Returns a function that connects a stream to the machine of its ticket, or throws StreamRefused. */
function connectorOf(
  settings: AgentSettings,
  { network }: AgentState,
  socket: WebSocket,
  { message, messages }: { readonly message: AcceptedByPortal; readonly messages: TextMessages },
): Connector {
  let { ranges } = message
  let ahead = message.now - Date.now()
  const tickets = new Tickets(Buffer.from(message.publicKey, 'base64url'), { network, connection: message.connection })
  messages.onOther = (received) => {
    const news = newsFromPortal.safeParse(received)
    if (!news.success) return socket.terminate()
    ranges = news.data.ranges
    ahead = news.data.now - Date.now()
  }
  return async (text, stream) => {
    const ticket = tickets.take(text, Date.now() + ahead)
    if (ticket === null) throw new StreamRefused('ticket')
    const isAllowed = [ranges, settings.ranges ?? ranges].every((allowed) => isAddressIn(ticket.address, allowed))
    if (!isAllowed || !PORTS.has(ticket.port) || !canBeMachine(ticket.address)) throw new StreamRefused('range')
    const deadline = AbortSignal.timeout(HANDSHAKE_MS)
    join(stream, await connectTo(ticket.address, ticket.port, settings.machineProxy, deadline))
  }
}

function join(stream: Duplex, machine: Socket): void {
  if (stream.destroyed) return void machine.destroy()
  machine.on('error', () => stream.destroy())
  stream.on('close', () => machine.destroySoon())
  machine.on('close', (hadError) => {
    if (hadError) stream.destroy()
    else stream.end()
  })
  machine.pipe(stream).pipe(machine)
}
