import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { messageFromSshClient, type MessageToSshClient } from '../contract/remote.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { closeRemote, type GrantedSsh, openSsh } from './open.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import { closePage } from './close-page.ts'
import { SENTENCE } from './terminal.ts'
import {
  idsOf,
  reasonOfHangUp,
  type Tunnel,
  type TunnelHolder,
  TunnelInput,
  type TunnelDependencies,
} from './tunnel.ts'

type SshDependencies = Pick<TunnelDependencies, 'db' | 'secondFactor' | 'shells' | 'refusals' | 'onBug'> & {
  readonly watching: Pick<TunnelDependencies['watching'], 'url'>
}

const FIRST_MESSAGE_TIMEOUT_MS = 10_000
const MAX_BUFFERED_BYTES = 1024 * 1024
const RESUME_BYTES = 256 * 1024

/** Connects a program to a machine's SSH server. The bytes are encrypted end to end, so the portal cannot read them. */
export function serveSsh(
  socket: WebSocket,
  holder: TunnelHolder,
  requestId: string,
  { db, secondFactor, shells, refusals, watching, onBug }: SshDependencies,
): Tunnel {
  const aborter = new AbortController()
  const done = Promise.withResolvers<void>()
  let granted: GrantedSsh | null = null
  let stream: Duplex | null = null
  let opening: Promise<void> | null = null
  let ended = false
  const input = new TunnelInput(holder)

  const send = (message: MessageToSshClient) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const firstMessageTimer = setTimeout(() => end(REMOTE_MESSAGES.invalidMessage), FIRST_MESSAGE_TIMEOUT_MS)

  function end(sentence: string): void {
    if (ended) return
    ended = true
    clearTimeout(firstMessageTimer)
    send({ kind: 'ended', sentence })
    aborter.abort()
    closePage(socket)
    void finish(sentence)
  }

  async function finish(sentence: string): Promise<void> {
    try {
      await opening?.catch(() => {})
      stream?.destroy()
      const over = granted
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

  const endAfterHangUp = async (over: GrantedSsh) => end(await reasonOfHangUp({ db, secondFactor }, over))

  async function open(request: { readonly machine: string; readonly ticket: string }): Promise<void> {
    const grant = await db
      .transaction()
      .execute((tx) => openSsh(tx, holder, { ...request, requestId, heldAt: watching.url }))
    granted = grant
    const connection = await shells.connect(grant.machine, aborter.signal)
    stream = connection
    connection.on('error', () => connection.destroy())
    connection.on('close', () => void endAfterHangUp(grant))
    if (ended) return
    send({ kind: 'opened' })
    const resume = () => {
      if (connection.isPaused() && socket.bufferedAmount < RESUME_BYTES) connection.resume()
    }
    connection.on('data', (bytes: Buffer) => {
      socket.send(bytes, { binary: true }, resume)
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) connection.pause()
    })
    connection.on('drain', () => socket.resume())
  }

  async function refuse(error: unknown, machine: string): Promise<void> {
    const { actor, address } = holder
    // A refused ticket is audited, because it may have been stolen.
    await refusals.write(null, error, { name: 'remote.open', requestId, actor, address, request: { machine } })
    if (error instanceof Problem) return end(error.message)
    if (error instanceof ShellError) return end(SENTENCE[error.kind](machine))
    onBug(error)
    end(REMOTE_MESSAGES.portalRestarting)
  }

  function onMessage(data: RawData, isBinary: boolean): void {
    if (ended) return
    if (stream !== null && isBinary) {
      input.record()
      if (!stream.write(data)) socket.pause()
      return
    }
    const openingMessage = opening === null && !isBinary ? readOpening(data) : null
    if (openingMessage === null) return end(REMOTE_MESSAGES.invalidMessage)
    clearTimeout(firstMessageTimer)
    opening = open(openingMessage)
    opening.catch((error: unknown) => refuse(error, openingMessage.machine).catch(onBug))
  }

  socket.on('message', onMessage)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => end(REMOTE_MESSAGES.connectionClosed))
  return {
    terminal: () => (granted === null || ended ? null : idsOf(granted)),
    isIdle: () => input.isIdle(),
    takeActivity: () => input.takeActivity(),
    end,
    closed: done.promise,
  }
}

function readOpening(data: RawData): { readonly machine: string; readonly ticket: string } | null {
  try {
    return messageFromSshClient.parse(JSON.parse((data as Buffer).toString('utf8')))
  } catch {
    return null
  }
}
