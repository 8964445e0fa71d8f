import type { RawData, WebSocket } from 'ws'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { isPinnedCertificate } from './certificate.ts'
import { closeRemote, type GrantedDesktop, openDesktop } from './open.ts'
import { type Desktop, DesktopError, type DesktopErrorKind, type Desktops } from './desktop.ts'
import { type CleanPathRequest, decodeRequest, encodeResponse, encodeError } from './clean-path.ts'
import { requestTrueColour } from './client-settings.ts'
import { closePage } from './close-page.ts'
import {
  idsOf,
  reasonOfHangUp,
  type Tunnel,
  type TunnelHolder,
  TunnelInput,
  type TunnelDependencies,
} from './tunnel.ts'
import type { WatchedDesktop } from './watch/desktop/watched-desktop.ts'

export interface DesktopDependencies extends Pick<
  TunnelDependencies,
  'db' | 'secondFactor' | 'refusals' | 'watching' | 'onBug'
> {
  readonly desktops: Desktops
}

const FIRST_MESSAGE_TIMEOUT_MS = 10_000
const MAX_BUFFERED_BYTES = 1024 * 1024
const RESUME_BYTES = 256 * 1024

const SENTENCE: Readonly<Record<DesktopErrorKind, (machine: string) => string>> = {
  unreachable: REMOTE_MESSAGES.unreachable,
  noGateway: REMOTE_MESSAGES.noGateway,
  otherCertificate: REMOTE_MESSAGES.certificateChanged,
  withoutTls: REMOTE_MESSAGES.withoutTls,
}

/**
 * Serves the socket of a desktop page. The page's client cannot show messages, so the page fetches the reason from the
 * closed row.
 */
export function serveDesktop(
  socket: WebSocket,
  holder: TunnelHolder,
  requestId: string,
  parts: DesktopDependencies,
): Tunnel {
  const { db, secondFactor, desktops, refusals, watching, onBug } = parts
  const aborter = new AbortController()
  const done = Promise.withResolvers<void>()
  let granted: GrantedDesktop | null = null
  let desktop: Desktop | null = null
  let watched: WatchedDesktop | null = null
  let opening: Promise<void> | null = null
  let ended = false
  const input = new TunnelInput(holder)

  const firstMessageTimer = setTimeout(() => end(REMOTE_MESSAGES.invalidMessage), FIRST_MESSAGE_TIMEOUT_MS)

  function end(sentence: string, refusal?: Buffer): void {
    if (ended) return
    ended = true
    clearTimeout(firstMessageTimer)
    aborter.abort()
    desktop?.stream.destroy()
    void finish(sentence, refusal)
  }
  /** The row is closed before the socket, so that a page that sees the socket close finds the reason. */
  async function finish(sentence: string, refusal: Buffer | undefined): Promise<void> {
    try {
      await opening?.catch(() => {})
      desktop?.stream.destroy()
      if (watched !== null) await watching.close(watched)
      const over = granted
      if (over !== null) {
        await db.transaction().execute((tx) => closeRemote(tx, over, { holder, requestId, ended: sentence }))
      }
    } catch (bug) {
      // The row is not closed here. A later check finds that no process owns it, and closes it.
      onBug(bug)
    } finally {
      if (refusal !== undefined && socket.readyState === socket.OPEN) socket.send(refusal)
      closePage(socket)
      done.resolve()
    }
  }
  const endAfterHangUp = async (over: GrantedDesktop) => end(await reasonOfHangUp({ db, secondFactor }, over))

  async function open({ destination, ticket, x224 }: CleanPathRequest): Promise<void> {
    const openRequest = { machine: destination, ticket, requestId, heldAt: watching.url }
    const grant = await db.transaction().execute((tx) => openDesktop(tx, holder, openRequest))
    granted = grant
    const { machine } = grant
    desktop = await desktops.open(
      { ...machine, isTrustedCertificate: (offered) => isPinnedCertificate(db, machine.id, offered) },
      x224,
      aborter.signal,
    )
    if (ended) return
    const { stream, confirm, chain } = desktop
    const acted = () => input.recordFromWatcher()
    watched = watching.openDesktop(grant, desktop, { learner: holder, requestId, acted })
    socket.send(encodeResponse({ confirm, chain, machine: machine.name }))
    const resume = () => {
      if (stream.isPaused() && socket.bufferedAmount < RESUME_BYTES) stream.resume()
    }
    stream.on('data', (bytes: Buffer) => {
      socket.send(bytes, { binary: true }, resume)
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) stream.pause()
      watched?.handleOutput(bytes)
    })
    stream.on('drain', () => {
      socket.resume()
      watched?.drained()
    })
    stream.on('error', () => stream.destroy())
    stream.on('close', () => void endAfterHangUp(grant))
  }

  async function refuse(error: unknown, machine: string): Promise<void> {
    const { actor, address } = holder
    // A refused ticket is audited, because it may have been stolen.
    await refusals.write(null, error, { name: 'remote.open', requestId, actor, address, request: { machine } })
    if (error instanceof Problem) return end(error.message, encodeError(error.status))
    if (error instanceof DesktopError) return end(SENTENCE[error.kind](machine), encodeError(502))
    onBug(error)
    end(REMOTE_MESSAGES.portalRestarting, encodeError(503))
  }

  function onMessage(data: RawData, isBinary: boolean): void {
    if (ended) return
    const bytes = data as Buffer
    if (desktop !== null && isBinary) {
      // Fast-path input, which the page's client uses for all input (MS-RDPBCGR, section 2.2.8.1.2).
      if ((bytes[0]! & 3) === 0) {
        input.record()
      }
      requestTrueColour(bytes)
      if (!forward(desktop, bytes)) socket.pause()
      return
    }
    const request = isBinary && opening === null ? decodeRequest(bytes) : null
    if (request === null) return end(REMOTE_MESSAGES.invalidMessage)
    clearTimeout(firstMessageTimer)
    opening = open(request)
    opening.catch((error: unknown) => refuse(error, request.destination).catch(onBug))
  }
  function forward({ stream }: Desktop, bytes: Buffer): boolean {
    try {
      return watched === null ? stream.write(bytes) : watched.handleInput(bytes)
    } catch {
      end(REMOTE_MESSAGES.invalidMessage)
      return true
    }
  }
  socket.on('message', onMessage)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => end(REMOTE_MESSAGES.pageClosed))

  return {
    terminal: () => (granted === null || ended ? null : idsOf(granted)),
    isIdle: () => input.isIdle(),
    takeActivity: () => input.takeActivity(),
    end,
    closed: done.promise,
  }
}
