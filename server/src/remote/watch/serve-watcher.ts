import { type RawData, WebSocket } from 'ws'
import { type FromWatcher, fromWatcher } from '@trainyard/contract/calls/remote.ts'
import { REMOTE, WATCH_SOCKET } from '@trainyard/contract/words/remote.ts'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import { conflict, Problem } from '../../core/errors.ts'
import { requestWatch, endWatch } from '../../domain/lab/remote/watch.ts'
import { holderOfScreen } from '../../domain/lab/remote/watched.ts'
import { closePage } from '../close-page.ts'
import type { TunnelParts } from '../tunnel.ts'
import { type Guest, leadOn } from './guest.ts'
import type { Watched } from './watched.ts'
import type { Watcher, WatcherRequest } from './watcher.ts'

/** Timeout for the first message of a page, in milliseconds. */
const SPEAK_MS = 10_000

/** Serves the page of a user who watches a learner. */
export function serveWatcher(request: WatcherRequest, parts: TunnelParts): Guest {
  const { socket, holder, requestId } = request
  const { db, watching, refusals, onBug } = parts
  const over = Promise.withResolvers<void>()
  let asking: Promise<void> | null = null
  let seat: { readonly screen: Watched; readonly watcher: Watcher } | null = null
  let relayed = false

  function end(sentence: string): void {
    clearTimeout(impatience)
    if (seat !== null) seat.screen.leave(seat.watcher, sentence)
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ kind: 'ended', sentence }))
    closePage(socket)
  }
  const impatience = setTimeout(() => end(REMOTE.misspoken), SPEAK_MS)

  async function ask(asked: Extract<FromWatcher, { kind: 'watch' }>): Promise<void> {
    const held = await holderOfScreen(db, asked.machine)
    const to = { path: WATCH_SOCKET, asked: JSON.stringify(asked) }
    if (held !== null && (await leadOn(request, watching, { held, ...to }))) {
      relayed = true
      return
    }
    const watch = await db.transaction().execute((tx) => requestWatch(tx, holder, asked))
    const screen = watching.find(watch.terminal)
    // The screen is held by a process without a peer URL, or has just closed.
    const absent = watching.url === null ? WATCHING.elsewhere : WATCHING.closed(watch.learner)
    const ended = screen === null ? absent : screen.refusal(watch.learner)
    if (screen === null || ended !== null) {
      await db
        .transaction()
        .execute((tx) => endWatch(tx, watch, { actor: holder.actor, requestId, ended: ended ?? absent }))
      throw conflict(ended ?? absent)
    }
    seat = { screen, watcher: screen.join(watch, request) }
    // The watcher disconnected in the meantime.
    if (socket.readyState !== WebSocket.OPEN) screen.leave(seat.watcher, WATCHING.left)
  }

  function hear(data: RawData, isBinary: boolean): void {
    if (relayed) return
    if (isBinary) {
      if (seat === null) return end(REMOTE.misspoken)
      // The machine's buffer is full, so stop reading from the page.
      if (!seat.screen.typed(seat.watcher, data as Buffer)) socket.pause()
      return
    }
    const message = read(data)
    if (message === null || (message.kind === 'watch') !== (asking === null)) return end(REMOTE.misspoken)
    switch (message.kind) {
      case 'watch':
        clearTimeout(impatience)
        asking = ask(message).catch(async (error: unknown) => {
          const { actor, address } = holder
          await refusals.write(null, error, {
            name: 'remote.watchBegin',
            requestId,
            actor,
            address,
            asked: { machine: message.machine },
          })
          if (!(error instanceof Problem)) onBug(error)
          end(error instanceof Problem ? error.message : REMOTE.portalStops)
        })
        return
      case 'shown':
        seat?.watcher.view.shown(message.bytes)
        return
      case 'keyboard':
        seat?.screen.wants(seat.watcher, message.want)
    }
  }

  socket.on('message', hear)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearTimeout(impatience)
    if (seat !== null) seat.screen.leave(seat.watcher, WATCHING.left)
    void Promise.resolve(asking).then(() => over.resolve())
  })
  return { end, over: over.promise }
}

function read(data: RawData): FromWatcher | null {
  try {
    return fromWatcher.parse(JSON.parse((data as Buffer).toString('utf8')))
  } catch {
    return null
  }
}
