import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { OPEN_STREAMS_PER_USER } from '@trainyard/contract/words/limits.ts'
import {
  DESKTOP_SOCKET,
  REMOTE,
  OWN_DESKTOP_SOCKET,
  REMOTE_SOCKET,
  TERMINAL_MESSAGE_BYTES,
  VIEW_SOCKET,
  WATCH_SOCKET,
} from '@trainyard/contract/words/remote.ts'
import type { MachineChanges } from '../domain/lab/machine/watch.ts'
import { endReasons } from '../domain/lab/remote/ending.ts'
import { recordInput } from '../domain/lab/remote/input.ts'
import type { Holder } from '../domain/lab/remote/ticket.ts'
import { hashToken } from '../core/tokens.ts'
import { actorOfSession, recordSessionUse, sessionCookie } from '../http/authenticate.ts'
import { ConcurrencyLimit } from '../http/open-at-once.ts'
import { type DesktopParts, serveDesktop } from './desktop.ts'
import { serveTerminal, type Tunnel, type TunnelParts } from './tunnel.ts'
import { serveOwnDesktop } from './watch/desktop/serve-own-desktop.ts'
import { serveView } from './watch/desktop/serve-view.ts'
import type { SideSocket } from './watch/guest.ts'
import { RELAYED } from './watch/relay.ts'
import { serveWatcher } from './watch/serve-watcher.ts'
import type { WatcherRequest } from './watch/watcher.ts'
import { WatchedScreens } from './watch/watching.ts'

export interface GatewayParts extends Omit<TunnelParts & DesktopParts, 'watching'> {
  readonly changes: MachineChanges
  /** Public base URL. Pages of other origins may not open the socket. */
  readonly publicUrl: string
  /** Reverse proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[]
  /** URL at which other API processes reach this one; null: they do not. */
  readonly peerUrl: string | null
}

type Serve = (...given: [...Head, parts: TunnelParts & DesktopParts]) => Tunnel
type Head = [socket: WebSocket, holder: Holder & { readonly address: string }, requestId: string]

/** Maximum number of sockets in one process. */
const MOST_SOCKETS = 1_000
/** Handlers of terminal and desktop sockets, by address. */
const SERVED: ReadonlyMap<string, Serve> = new Map<string, Serve>([
  [`/api${REMOTE_SOCKET}`, serveTerminal],
  [`/api${DESKTOP_SOCKET}`, serveDesktop],
])
/** Handlers of sockets that accompany a screen, by address. */
const GUESTS: ReadonlyMap<string, (request: WatcherRequest, parts: TunnelParts) => SideSocket> = new Map([
  [`/api${WATCH_SOCKET}`, serveWatcher],
  [`/api${OWN_DESKTOP_SOCKET}`, serveOwnDesktop],
  [`/api${VIEW_SOCKET}`, serveView],
])
/** Interval of access checks for open terminals, in milliseconds. A change of a machine triggers a check at once. */
const LOOK_MS = 3_000
/** Time without a successful check after which all terminals are closed, in milliseconds. */
const BLIND_MS = 45_000
/** Interval of pings, in milliseconds. A page that did not answer the previous ping is disconnected. */
const PING_MS = 20_000

/** Serves the sockets of the lab remote-access page. This process owns the terminals opened through them. */
export function serveRemote(server: FastifyInstance, parts: GatewayParts): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: TERMINAL_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const isTrusted = proxyAddr.compile([...parts.trustedProxies])
  const watching = new WatchedScreens({ ...parts, url: parts.peerUrl })
  const tunnels = new Set<Tunnel>()
  const guests = new Set<SideSocket>()
  const people = new ConcurrencyLimit(OPEN_STREAMS_PER_USER)
  const looking = lookAfter(tunnels, watching, parts)

  server.server.on('upgrade', (request, stream: Duplex, head) => {
    // A refused client might never close its side, so destroy the connection.
    const refuse = (status: string) =>
      void stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => stream.destroy())
    stream.on('error', () => stream.destroy())
    const serveGuest = GUESTS.get(request.url ?? '')
    const serve = SERVED.get(request.url ?? '')
    if (serve === undefined && serveGuest === undefined) return refuse('404 Not Found')
    if (!isOurPage(request, parts.publicUrl)) return refuse('403 Forbidden')
    if (tunnels.size + guests.size >= MOST_SOCKETS) return refuse('503 Service Unavailable')
    holderOf(server, request, parts).then(
      (holder) => {
        // After a disconnect no close event would release the slot.
        if (stream.destroyed) return
        if (holder === null) return refuse('401 Unauthorized')
        const leave = people.acquire(holder.actor.id)
        if (leave === null) return refuse('429 Too Many Requests')
        stream.once('close', leave)
        sockets.handleUpgrade(request, stream, head, (socket) => {
          keepAlive(socket)
          const address = proxyAddr(request, isTrusted)
          if (serveGuest !== undefined) {
            const { cookie = '', [RELAYED]: relayed } = request.headers
            const at = { socket, holder: { ...holder, address }, requestId: randomUUID() }
            const guest = serveGuest({ ...at, cookie, wasRelayed: relayed !== undefined }, { ...parts, watching })
            guests.add(guest)
            void guest.closed.then(() => guests.delete(guest))
            return
          }
          const tunnel = serve!(socket, { ...holder, address }, randomUUID(), { ...parts, watching })
          tunnels.add(tunnel)
          void tunnel.closed.then(() => tunnels.delete(tunnel))
        })
      },
      (bug: unknown) => {
        parts.onBug(bug)
        refuse('503 Service Unavailable')
      },
    )
  })
  server.addHook('preClose', async () => {
    const looked = looking.stop()
    const all = [...guests, ...tunnels]
    for (const each of all) each.end(REMOTE.portalRestarting)
    await Promise.all([looked, ...all.map(({ ended }) => ended)])
  })
}

/** Returns true for pages of the portal. Browsers set the Origin header reliably. */
function isOurPage({ headers }: IncomingMessage, publicUrl: string): boolean {
  const origin = URL.parse(headers.origin ?? '')
  return origin !== null && (origin.host === headers.host || origin.origin === URL.parse(publicUrl)?.origin)
}

async function holderOf(
  server: FastifyInstance,
  request: IncomingMessage,
  { db, publicUrl }: GatewayParts,
): Promise<Holder | null> {
  const token = server.parseCookie(request.headers.cookie ?? '')[sessionCookie(publicUrl.startsWith('https:'))]
  if (token === undefined) return null
  const sessionHash = hashToken(token)
  const actor = await actorOfSession(db, sessionHash)
  return actor === null ? null : { actor, sessionHash }
}

function keepAlive(socket: WebSocket): void {
  let answered = true
  const pinging = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, PING_MS)
  socket.on('pong', () => (answered = true))
  socket.on('close', () => clearInterval(pinging))
}

/** Closes terminals that may no longer stay open. Checks every few seconds, and when one of their machines changes. */
function lookAfter(
  tunnels: ReadonlySet<Tunnel>,
  watching: WatchedScreens,
  { db, changes, onBug }: GatewayParts,
): { stop(): Promise<void> } {
  const followed = new Map<string, { unsubscribe(): void }>()
  let looking = false
  let again = false
  let stopped = false
  let working: Promise<void> = Promise.resolve()
  let sawAt = performance.now()

  const look = async () => {
    const open = [...tunnels].flatMap((tunnel) => {
      const terminal = tunnel.terminal()
      return terminal === null ? [] : [{ tunnel, ...terminal }]
    })
    for (const { tunnel } of open) if (tunnel.isIdle()) tunnel.end(REMOTE.idle)
    const typedAt = new Set<MachineId>()
    for (const { tunnel, machineId } of open) {
      // Typing in a terminal makes no call but counts as use of the session.
      const use = tunnel.takeActivity()
      if (use === null) continue
      await recordSessionUse(db, use.sessionHash, use.address)
      typedAt.add(machineId)
    }
    for (const { machineId, ...use } of await watching.checkWatches()) {
      await recordSessionUse(db, use.sessionHash, use.address)
      typedAt.add(machineId)
    }
    await recordInput(db, [...typedAt])
    follow(new Set(open.map(({ trainingId }) => trainingId)))
    if (open.length > 0) {
      const ending = await endReasons(
        db,
        open.map(({ id }) => id),
      )
      for (const { tunnel, id } of open) {
        const sentence = ending.get(id)
        if (sentence !== undefined) tunnel.end(sentence)
      }
    }
    sawAt = performance.now()
  }

  const follow = (trainings: ReadonlySet<Parameters<MachineChanges['subscribe']>[0]>) => {
    for (const [training, following] of followed) {
      if (trainings.has(training as never)) continue
      following.unsubscribe()
      followed.delete(training)
    }
    for (const training of trainings) {
      if (!followed.has(training)) followed.set(training, changes.subscribe(training, soon))
    }
  }

  function soon(): void {
    if (stopped) return
    again = true
    if (looking) return
    looking = true
    working = (async () => {
      while (again) {
        again = false
        await look().catch((bug: unknown) => {
          onBug(bug)
          if (performance.now() - sawAt > BLIND_MS) for (const tunnel of tunnels) tunnel.end(REMOTE.portalRestarting)
        })
      }
      looking = false
    })()
  }

  const timer = setInterval(soon, LOOK_MS)
  return {
    /** Resolves when no more queries are running. */
    async stop() {
      clearInterval(timer)
      stopped = true
      again = false
      await working
      follow(new Set())
    },
  }
}
