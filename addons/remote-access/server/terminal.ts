import { type RawData, WebSocket } from 'ws'
import { type MessageFromPage, messageFromPage, type MessageToPage } from '../contract/remote.ts'
import { REMOTE_MESSAGES, REMOTE_SOCKET, SHELL_KEPT_MINUTES } from '../contract/remote-words.ts'
import { isPinnedKey } from './host-key.ts'
import { closeRemote, type GrantedTerminal, openRemote, resumeRemote } from './open.ts'
import { terminalOfSession } from './own-screen.ts'
import { RecentOutput } from './recent-output.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Shell } from './shell.ts'
import { ShellError, type ShellErrorKind } from '@trainyard/machines/server/ssh/shell-error.ts'
import { closePage } from './close-page.ts'
import {
  idsOf,
  type ReconnectingPage,
  type Relayable,
  reasonOfHangUp,
  type Tunnel,
  type TunnelHolder,
  TunnelInput,
  type TunnelDependencies,
} from './tunnel.ts'
import { LOST_CODE } from './watch/relay.ts'
import { relayToHolder } from './watch/side-socket.ts'
import type { WatchedTerminal } from './watch/watched-terminal.ts'

const FIRST_MESSAGE_TIMEOUT_MS = 10_000
const MAX_BUFFERED_BYTES = 512 * 1024
const RESUME_BYTES = 128 * 1024
const KEPT_MS = SHELL_KEPT_MINUTES * 60_000

export const SENTENCE: Readonly<Record<ShellErrorKind, (machine: string) => string>> = {
  unreachable: REMOTE_MESSAGES.unreachable,
  noGateway: REMOTE_MESSAGES.noGateway,
  loginRefused: REMOTE_MESSAGES.loginRefused,
  otherKey: REMOTE_MESSAGES.keyChanged,
}

export function serveTerminal(
  socket: WebSocket,
  holder: TunnelHolder,
  requestId: string,
  parts: TunnelDependencies & Relayable,
): Tunnel {
  const { db, secondFactor, seal, shells, refusals, watching, kept, onBug } = parts
  const aborter = new AbortController()
  const done = Promise.withResolvers<void>()
  let terminal: GrantedTerminal | null = null
  let shell: Shell | null = null
  let watched: WatchedTerminal | null = null
  let opening: Promise<void> | null = null
  /** Socket of the page; null while its connection is lost. */
  let page: WebSocket | null = socket
  let lostAt: number | null = null
  let keepTimer: NodeJS.Timeout | undefined
  let isRelayed = false
  let ended = false
  let ahead = 0
  let isPaused = false
  const input = new TunnelInput(holder)
  const output = new RecentOutput()

  const send = (message: MessageToPage) => {
    if (page?.readyState === WebSocket.OPEN) page.send(JSON.stringify(message))
  }
  const firstMessageTimer = setTimeout(() => end(REMOTE_MESSAGES.invalidMessage), FIRST_MESSAGE_TIMEOUT_MS)

  function end(sentence: string): void {
    if (ended) return
    ended = true
    clearTimeout(firstMessageTimer)
    clearTimeout(keepTimer)
    if (terminal !== null) kept.delete(terminal.id)
    send({ kind: 'ended', sentence })
    disconnect()
    void finish(sentence)
  }

  const endAfterHangUp = async (over: GrantedTerminal) => end(await reasonOfHangUp({ db, secondFactor }, over))

  function disconnect(): void {
    aborter.abort()
    if (page !== null) closePage(page)
  }

  async function finish(sentence: string): Promise<void> {
    try {
      await opening?.catch(() => {})
      shell?.close()
      if (watched !== null) await watching.close(watched)
      const over = terminal
      if (over !== null) {
        const lostFor = lostAt === null ? 0 : (performance.now() - lostAt) / 1_000
        await db.transaction().execute((tx) => closeRemote(tx, over, { holder, requestId, ended: sentence, lostFor }))
      }
    } catch (bug) {
      // The row is not closed here. A later check finds that no process owns it, and closes it.
      onBug(bug)
    } finally {
      done.resolve()
    }
  }

  /** Hands the socket over to the tunnel of the shell that it continues. Returns false if that shell has ended. */
  async function resume(openRequest: OpenRequest): Promise<boolean> {
    const { resume: wanted, machine, columns, rows } = openRequest
    if (wanted === undefined) return false
    const held = await terminalOfSession(db, holder.sessionHash, { terminal: wanted.terminal, machine })
    if (held === null) return false
    const { cookie, wasRelayed } = parts
    const request = { socket, holder, requestId, cookie, wasRelayed }
    const to = { held, path: REMOTE_SOCKET, asked: JSON.stringify(openRequest) }
    try {
      isRelayed = !kept.has(held.id) && (await relayToHolder(request, watching, to))
    } catch {
      // The process that held the shell has died, and the shell with it.
      return false
    }
    if (isRelayed) return true
    if (!kept.has(held.id)) return false
    await db.transaction().execute((tx) => resumeRemote(tx, holder, { ...openRequest, requestId }, held.id))
    page = null
    ended = true
    const { received } = wanted
    if (kept.get(held.id)?.({ socket, holder, received, size: { columns, rows } }) !== true) closePage(socket)
    done.resolve()
    return true
  }

  /** Continues on the socket of a page that has lost its connection, or has not noticed yet that it had. */
  function attach(next: ReconnectingPage): boolean {
    // The page may have been closed while its right was looked up. Then the shell is kept as before.
    if (ended || terminal === null || next.socket.readyState !== WebSocket.OPEN) return false
    clearTimeout(keepTimer)
    if (page !== null) {
      send({ kind: 'ended', sentence: REMOTE_MESSAGES.openedElsewhere })
      closePage(page)
    }
    page = next.socket
    lostAt = null
    // The page no longer confirms what its lost connection has received.
    resumeOutput()
    input.moved(next.holder)
    listen(next.socket)
    shell?.resize(next.size)
    watched?.resized(next.size)
    const { from, bytes } = output.since(next.received)
    ahead = bytes.length
    sendOpened(terminal, from)
    if (bytes.length > 0) next.socket.send(bytes, { binary: true })
    watched?.tellAgain()
    return true
  }

  /** Keeps the shell for a page whose connection was lost. The checks of its right continue. */
  function keep(): void {
    page = null
    lostAt = performance.now()
    keepTimer = setTimeout(() => end(REMOTE_MESSAGES.pageLost), KEPT_MS)
    ahead = 0
    resumeOutput()
  }

  function resumeOutput(): void {
    if (!isPaused) return
    isPaused = false
    shell?.resume()
  }

  const sendOpened = ({ id, machine: { name, account }, watching: notice }: GrantedTerminal, from = 0) =>
    send({ kind: 'opened', terminal: id, from, machine: name, account, watching: notice })

  async function open(openRequest: OpenRequest): Promise<void> {
    if (await resume(openRequest)) return
    const { columns, rows } = openRequest
    const granted = await db
      .transaction()
      .execute((tx) => openRemote(tx, seal, holder, { ...openRequest, requestId, heldAt: watching.url }))
    if (granted.kind === 'desktop') {
      send(granted)
      ended = true
      disconnect()
      done.resolve()
      return
    }
    terminal = granted
    const { machine } = granted
    if (granted.watching !== null) {
      const size = { columns, rows }
      watched = await watching.open(granted, { learner: holder, requestId, size, tell: send, type: typeFor })
    }
    shell = await shells.open(
      { ...machine, isTrustedKey: (offered) => isPinnedKey(db, machine.id, offered) },
      { columns, rows },
      {
        printed(bytes) {
          output.push(bytes)
          watched?.printed(bytes)
          // The page hears first that the shell is open.
          if (page === null || !kept.has(granted.id)) return
          ahead += bytes.length
          if (ahead > MAX_BUFFERED_BYTES && !isPaused) {
            isPaused = true
            shell?.pause()
          }
          if (page.readyState === WebSocket.OPEN) page.send(bytes, { binary: true })
        },
        drained() {
          page?.resume()
          watched?.drained()
        },
        ended: (how) => (how === 'left' ? end(REMOTE_MESSAGES.shellEnded) : void endAfterHangUp(granted)),
      },
      aborter.signal,
    )
    if (ended) return
    kept.set(granted.id, attach)
    sendOpened(granted)
    const { bytes } = output.since(0)
    ahead = bytes.length
    if (bytes.length > 0) page?.send(bytes, { binary: true })
  }

  function typeFor(bytes: Buffer): boolean {
    input.recordFromWatcher()
    return shell === null || shell.write(bytes)
  }

  function refusalOf(error: unknown, machine: string): string {
    if (error instanceof Problem) return error.message
    if (error instanceof ShellError) return SENTENCE[error.kind](machine)
    onBug(error)
    return REMOTE_MESSAGES.portalRestarting
  }

  function onMessage(from: WebSocket, data: RawData, isBinary: boolean): void {
    if (ended || isRelayed || from !== page) return
    if (isBinary) {
      if (shell === null) return end(REMOTE_MESSAGES.invalidMessage)
      if (watched?.learnerHasKeyboard() === false) return
      input.record()
      if (!shell.write(data as Buffer)) from.pause()
      return
    }
    const message = read(data)
    if (message === null || (message.kind === 'open') !== (opening === null)) return end(REMOTE_MESSAGES.invalidMessage)
    switch (message.kind) {
      case 'open':
        clearTimeout(firstMessageTimer)
        opening = open(message)
        opening.catch(async (error: unknown) => {
          const { actor, address } = holder
          const request = { machine: message.machine }
          // A refused ticket is audited, because it may have been stolen.
          await refusals.write(null, error, { name: 'remote.open', requestId, actor, address, request })
          end(refusalOf(error, message.machine))
        })
        return
      case 'resize':
        shell?.resize(message)
        watched?.resized({ columns: message.columns, rows: message.rows })
        return
      case 'watcher':
        watched?.handleAnswer(message)
        return
      case 'shown':
        ahead = Math.max(0, ahead - message.bytes)
        if (ahead < RESUME_BYTES) resumeOutput()
    }
  }

  function listen(to: WebSocket): void {
    // The page has broken the protocol, which is no loss of its connection.
    to.on('error', () => {
      if (to === page) end(REMOTE_MESSAGES.invalidMessage)
    })
    to.on('message', (data, isBinary) => onMessage(to, data, isBinary))
    to.on('close', (code) => {
      if (to !== page) return
      // A page that is closed sends a close message; a connection that is lost does not.
      if (code === LOST_CODE && !ended && shell !== null) keep()
      else end(REMOTE_MESSAGES.pageClosed)
    })
  }

  socket.on('error', () => socket.terminate())
  listen(socket)
  return {
    terminal: () => (terminal === null || ended ? null : idsOf(terminal)),
    isIdle: () => input.isIdle(),
    takeActivity: () => input.takeActivity(),
    end,
    closed: done.promise,
  }
}

type OpenRequest = Extract<MessageFromPage, { kind: 'open' }>

function read(data: RawData): MessageFromPage | null {
  try {
    return messageFromPage.parse(JSON.parse((data as Buffer).toString('utf8')))
  } catch {
    return null
  }
}
