import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { OPEN_SOCKETS_PER_USER } from '@trainyard/platform/contract/words/limits.ts'
import {
  DESKTOP_SOCKET,
  REMOTE_MESSAGES,
  OWN_DESKTOP_SOCKET,
  REMOTE_SOCKET,
  SSH_SOCKET,
  TERMINAL_MESSAGE_BYTES,
  VIEW_SOCKET,
  WATCH_SOCKET,
} from '../contract/remote-words.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Scope } from '@trainyard/platform/contract/scope.ts'
import type { MachineChanges } from '@trainyard/machines/server/watch.ts'
import { endReasons } from './ending.ts'
import { recordMachineUse, recordRemoteSessionInput } from './input.ts'
import type { Holder } from './ticket.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { recordSessionUse } from '@trainyard/users/server/identify.ts'
import { keyOf } from '@trainyard/platform/server/core/identity.ts'
import { actorOfSession, bearerOf, isApiKey, sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import type { Callers } from '@trainyard/platform/server/http/callers.ts'
import type { RateLimits } from '@trainyard/platform/server/http/rate-limits.ts'
import { claimantOf, Shares } from '@trainyard/platform/server/http/shares.ts'
import type { Upgrades } from '@trainyard/platform/server/http/upgrades.ts'
import { type DesktopDependencies, serveDesktop } from './remote-desktop.ts'
import { serveTerminal } from './terminal.ts'
import type { KeptShells, Relayable, Tunnel, TunnelDependencies } from './tunnel.ts'
import { serveSsh } from './ssh.ts'
import { serveOwnDesktop } from './watch/desktop/serve-own-desktop.ts'
import { type SideSocket, relayToHolder, serveSideSocket } from './watch/side-socket.ts'
import { RELAYED } from './watch/relay.ts'
import { serveWatcher } from './watch/serve-watcher.ts'
import type { WatcherRequest } from './watch/watcher.ts'
import { WatchedScreens } from './watch/watched-screens.ts'
import { desktopOfView } from './own-screen.ts'
import { decodeRequest, encodeError } from './clean-path.ts'
import { closePage } from './close-page.ts'

export interface GatewayDependencies extends Omit<TunnelDependencies & DesktopDependencies, 'watching' | 'kept'> {
  readonly changes: MachineChanges
  readonly publicUrl: string
  readonly callers: Callers
  readonly limits: RateLimits
  readonly secondFactor: SecondFactorRule
  readonly peerUrl: string | null
  readonly upgrades: Upgrades
}

type Serve = (...args: [...Head, parts: TunnelDependencies & DesktopDependencies & Relayable]) => Tunnel
type Head = [socket: WebSocket, holder: Holder & { readonly address: string }, requestId: string]

/** Maximum number of open sockets in a process. */
const SOCKETS = { user: OPEN_SOCKETS_PER_USER, organisation: 1_000, all: 4_000 }
/** Maximum number of sockets whose session is being looked up. */
const LOOKUPS = { user: 60, organisation: 200, address: 60, all: 500 }
const SESSION_SOCKETS: ReadonlyMap<string, Serve> = new Map<string, Serve>([
  [`/api${REMOTE_SOCKET}`, serveTerminal],
  [`/api${DESKTOP_SOCKET}`, serveDesktop],
])
/** Path for programs with an API key. Browsers cannot send a key in the handshake of a WebSocket. */
const SSH_PATH = `/api${SSH_SOCKET}`
const SIDE_SOCKETS: ReadonlyMap<string, (request: WatcherRequest, parts: TunnelDependencies) => SideSocket> = new Map([
  [`/api${WATCH_SOCKET}`, serveWatcher],
  [`/api${OWN_DESKTOP_SOCKET}`, serveOwnDesktop],
  [`/api${VIEW_SOCKET}`, serveView],
])
const CHECK_INTERVAL_MS = 3_000
const MAX_UNCHECKED_MS = 45_000
/** Milliseconds after which a caller without a session is refused, because its next attempt follows at once. */
const REFUSAL_MS = 1_000
/** Interval of pings, in milliseconds. A page that did not answer the previous ping is disconnected. */
const PING_MS = 20_000

export function serveRemote(server: FastifyInstance, parts: GatewayDependencies): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: TERMINAL_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const watching = new WatchedScreens({ ...parts, url: parts.peerUrl })
  const kept: KeptShells = new Map()
  const tunnels = new Set<Tunnel>()
  const sideSockets = new Set<SideSocket>()
  const shares = new Shares(SOCKETS)
  const lookups = new Shares(LOOKUPS)
  const checking = enforceAccess(tunnels, watching, parts)

  parts.upgrades.add(({ request, stream, head, address, refuse }) => {
    const refuseLater = (status: string) => {
      const timer = setTimeout(() => refuse(status), REFUSAL_MS)
      stream.once('close', () => clearTimeout(timer))
    }
    const serveSideSocket = SIDE_SOCKETS.get(request.url ?? '')
    const withKey = request.url === SSH_PATH
    const serve = withKey ? serveSsh : SESSION_SOCKETS.get(request.url ?? '')
    if (serve === undefined && serveSideSocket === undefined) return false
    if (!withKey && !isOurPage(request, parts.publicUrl)) {
      refuse('403 Forbidden')
      return true
    }
    const lookedUp = lookups.acquire(parts.callers.claimantOf(request))
    if (typeof lookedUp === 'string') {
      refuseLater('429 Too Many Requests')
      return true
    }
    const authenticated = identify(server, request, { withKey, address }, parts).finally(lookedUp)
    authenticated.then(
      (holder) => {
        // The client has disconnected, so no close event would release the slot.
        if (stream.destroyed) return
        if (holder === null) return refuseLater('401 Unauthorized')
        const release = shares.acquire(claimantOf(holder.actor, address))
        if (release === 'user') return refuse('429 Too Many Requests')
        if (typeof release === 'string') return refuse('503 Service Unavailable')
        stream.once('close', release)
        sockets.handleUpgrade(request, stream, head, (socket) => {
          keepAlive(socket)
          const { cookie = '', [RELAYED]: relayed } = request.headers
          const relayable = { cookie, wasRelayed: relayed !== undefined }
          if (serveSideSocket !== undefined) {
            const at = { socket, holder: { ...holder, address }, requestId: randomUUID() }
            const sideSocket = serveSideSocket({ ...at, ...relayable }, { ...parts, watching, kept })
            sideSockets.add(sideSocket)
            void sideSocket.closed.then(() => sideSockets.delete(sideSocket))
            return
          }
          const tunnel = serve!(socket, { ...holder, address }, randomUUID(), {
            ...parts,
            ...relayable,
            watching,
            kept,
          })
          tunnels.add(tunnel)
          // A shell outlasts a lost connection, and its share with it.
          stream.off('close', release)
          void tunnel.closed.then(() => {
            tunnels.delete(tunnel)
            release()
          })
        })
      },
      (bug: unknown) => {
        if (bug instanceof Problem) return refuseLater('429 Too Many Requests')
        parts.onBug(bug)
        refuse('503 Service Unavailable')
      },
    )
    return true
  })
  server.addHook('preClose', async () => {
    const checked = checking.stop()
    const all = [...sideSockets, ...tunnels]
    for (const each of all) each.end(REMOTE_MESSAGES.portalRestarting)
    await Promise.all([checked, ...all.map(({ closed }) => closed)])
  })
}

function isOurPage({ headers }: IncomingMessage, publicUrl: string): boolean {
  const origin = URL.parse(headers.origin ?? '')
  return origin !== null && (origin.host === headers.host || origin.origin === URL.parse(publicUrl)?.origin)
}

/** @throws Problem tooMany */
async function identify(
  server: FastifyInstance,
  request: IncomingMessage,
  { withKey, address }: { readonly withKey: boolean; readonly address: string },
  parts: GatewayDependencies,
): Promise<Holder | null> {
  const { callers, limits } = parts
  if (callers.needsLookup(request)) await limits.countUnknownSession(address)
  const holder = await (withKey ? holderOfKey(request, address, parts) : holderOf(server, request, parts))
  callers.remember(request, holder?.actor ?? null)
  return holder
}

async function holderOf(
  server: FastifyInstance,
  request: IncomingMessage,
  { db, publicUrl }: GatewayDependencies,
): Promise<Holder | null> {
  const token = server.parseCookie(request.headers.cookie ?? '')[sessionCookie(publicUrl.startsWith('https:'))]
  if (token === undefined) return null
  const sessionHash = hashToken(token)
  const actor = await actorOfSession(db, sessionHash)
  return actor === null ? null : { actor, sessionHash }
}

async function holderOfKey(
  { headers }: IncomingMessage,
  address: string,
  { db, secondFactor: rule }: GatewayDependencies,
): Promise<Holder | null> {
  const token = bearerOf(headers.authorization) ?? ''
  const found = isApiKey(token) ? await ask(db, keyOf, { token, address, rule }) : null
  if (found === null || found.mustChangePassword || found.duty?.state === 'overdue') return null
  if (!found.key.scopes.includes('machine:connect' satisfies Scope)) return null
  return { actor: found.actor, sessionHash: found.key.hash }
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

function enforceAccess(
  tunnels: ReadonlySet<Tunnel>,
  watching: WatchedScreens,
  { db, changes, secondFactor, onBug }: GatewayDependencies,
): { stop(): Promise<void> } {
  const followed = new Map<string, { unsubscribe(): void }>()
  let checking = false
  let again = false
  let stopped = false
  let working: Promise<void> = Promise.resolve()
  let checkedAt = performance.now()

  const check = async () => {
    const open = [...tunnels].flatMap((tunnel) => {
      const terminal = tunnel.terminal()
      return terminal === null ? [] : [{ tunnel, ...terminal }]
    })
    for (const { tunnel } of open) if (tunnel.isIdle()) tunnel.end(REMOTE_MESSAGES.idle)
    const typedAt = new Set<MachineId>()
    const typedIn: string[] = []
    for (const { tunnel, machineId, id } of open) {
      // Typing in a terminal makes no call, but counts as use of the session.
      const use = tunnel.takeActivity()
      if (use === null) continue
      await recordSessionUse(db, use.sessionHash, use.address)
      typedAt.add(machineId)
      typedIn.push(id)
    }
    for (const { machineId, ...use } of await watching.checkWatches()) {
      await recordSessionUse(db, use.sessionHash, use.address)
      typedAt.add(machineId)
    }
    await recordMachineUse(db, [...typedAt])
    await recordRemoteSessionInput(db, typedIn)
    follow(new Set(open.map(({ trainingId }) => trainingId)))
    if (open.length > 0) {
      const ending = await endReasons(
        db,
        open.map(({ id }) => id),
        secondFactor,
      )
      for (const { tunnel, id } of open) {
        const sentence = ending.get(id)
        if (sentence !== undefined) tunnel.end(sentence)
      }
    }
    checkedAt = performance.now()
  }

  const follow = (trainings: ReadonlySet<Parameters<MachineChanges['subscribe']>[0]>) => {
    for (const [training, following] of followed) {
      if (trainings.has(training as never)) continue
      following.unsubscribe()
      followed.delete(training)
    }
    for (const training of trainings) {
      if (!followed.has(training)) followed.set(training, changes.subscribe(training, checkSoon))
    }
  }

  function checkSoon(): void {
    if (stopped) return
    again = true
    if (checking) return
    checking = true
    working = (async () => {
      while (again) {
        again = false
        await check().catch((bug: unknown) => {
          onBug(bug)
          if (performance.now() - checkedAt > MAX_UNCHECKED_MS)
            for (const tunnel of tunnels) tunnel.end(REMOTE_MESSAGES.portalRestarting)
        })
      }
      checking = false
    })()
  }

  const timer = setInterval(checkSoon, CHECK_INTERVAL_MS)
  return {
    async stop() {
      clearInterval(timer)
      stopped = true
      again = false
      await working
      follow(new Set())
    },
  }
}

function serveView(request: WatcherRequest, { db, watching, onBug }: TunnelDependencies): SideSocket {
  const { socket, holder } = request
  return serveSideSocket(request, onBug, async (data, isBinary) => {
    const openRequest = isBinary ? decodeRequest(data) : null
    const [ticket = '', opening] = openRequest?.ticket.split('.') ?? []
    const desktop = openRequest === null ? null : await desktopOfView(db, holder.sessionHash, ticket)
    if (desktop !== null && (await relayToHolder(request, watching, { held: desktop, path: VIEW_SOCKET, asked: data })))
      return
    const watchers = desktop === null ? [] : (watching.findDesktop(desktop.id)?.watchers() ?? [])
    const watcher = watchers.find(({ watch }) => watch.id === desktop?.watch)
    if (watcher?.view.attach(socket, opening) === true) return
    socket.send(encodeError(403))
    closePage(socket)
  })
}
