import { type RawData, WebSocket } from 'ws'
import { type MessageFromPage, messageFromPage, type MessageToPage } from '../contract/remote.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { isPinnedKey } from './host-key.ts'
import { closeRemote, type GrantedTerminal, openRemote } from './open.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Shell } from './shell.ts'
import { ShellError, type ShellErrorKind } from '@trainyard/machines/server/ssh/shell-error.ts'
import { closePage } from './close-page.ts'
import {
  idsOf,
  reasonOfHangUp,
  type Tunnel,
  type TunnelHolder,
  TunnelInput,
  type TunnelDependencies,
} from './tunnel.ts'
import type { WatchedTerminal } from './watch/watched-terminal.ts'

const FIRST_MESSAGE_TIMEOUT_MS = 10_000
const MAX_BUFFERED_BYTES = 512 * 1024
const RESUME_BYTES = 128 * 1024

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
  parts: TunnelDependencies,
): Tunnel {
  const { db, secondFactor, seal, shells, refusals, watching, onBug } = parts
  const aborter = new AbortController()
  const done = Promise.withResolvers<void>()
  let terminal: GrantedTerminal | null = null
  let shell: Shell | null = null
  let watched: WatchedTerminal | null = null
  let opening: Promise<void> | null = null
  let ended = false
  let ahead = 0
  let isPaused = false
  const input = new TunnelInput(holder)

  const send = (message: MessageToPage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const firstMessageTimer = setTimeout(() => end(REMOTE_MESSAGES.invalidMessage), FIRST_MESSAGE_TIMEOUT_MS)

  function end(sentence: string): void {
    if (ended) return
    ended = true
    clearTimeout(firstMessageTimer)
    send({ kind: 'ended', sentence })
    disconnect()
    void finish(sentence)
  }

  const endAfterHangUp = async (over: GrantedTerminal) => end(await reasonOfHangUp({ db, secondFactor }, over))

  function disconnect(): void {
    aborter.abort()
    closePage(socket)
  }

  async function finish(sentence: string): Promise<void> {
    try {
      await opening?.catch(() => {})
      shell?.close()
      if (watched !== null) await watching.close(watched)
      const over = terminal
      if (over !== null) {
        await db.transaction().execute((tx) => closeRemote(tx, over, { holder, requestId, ended: sentence }))
      }
    } catch (bug) {
      // The row is not closed here. A later check finds that no process owns it, and closes it.
      onBug(bug)
    } finally {
      done.resolve()
    }
  }

  async function open(openRequest: Extract<MessageFromPage, { kind: 'open' }>): Promise<void> {
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
          ahead += bytes.length
          if (ahead > MAX_BUFFERED_BYTES && !isPaused) {
            isPaused = true
            shell?.pause()
          }
          if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { binary: true })
          watched?.printed(bytes)
        },
        drained() {
          socket.resume()
          watched?.drained()
        },
        ended: (how) => (how === 'left' ? end(REMOTE_MESSAGES.shellEnded) : void endAfterHangUp(granted)),
      },
      aborter.signal,
    )
    if (!ended) {
      send({ kind: 'opened', machine: machine.name, account: machine.account, watching: granted.watching })
    }
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

  function onMessage(data: RawData, isBinary: boolean): void {
    if (ended) return
    if (isBinary) {
      if (shell === null) return end(REMOTE_MESSAGES.invalidMessage)
      if (watched?.learnerHasKeyboard() === false) return
      input.record()
      if (!shell.write(data as Buffer)) socket.pause()
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
        if (isPaused && ahead < RESUME_BYTES) {
          isPaused = false
          shell?.resume()
        }
    }
  }

  socket.on('message', onMessage)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => end(REMOTE_MESSAGES.pageClosed))
  return {
    terminal: () => (terminal === null || ended ? null : idsOf(terminal)),
    isIdle: () => input.isIdle(),
    takeActivity: () => input.takeActivity(),
    end,
    closed: done.promise,
  }
}

function read(data: RawData): MessageFromPage | null {
  try {
    return messageFromPage.parse(JSON.parse((data as Buffer).toString('utf8')))
  } catch {
    return null
  }
}
