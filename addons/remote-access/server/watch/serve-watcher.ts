import { type RawData, WebSocket } from 'ws'
import { type MessageFromWatcher, messageFromWatcher } from '../../contract/remote.ts'
import { REMOTE_MESSAGES, WATCH_SOCKET } from '../../contract/remote-words.ts'
import { WATCHING } from '../../contract/watching.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { requestWatch, endWatch } from '../watch.ts'
import { holderOfScreen } from '../own-screen.ts'
import { closePage } from '../close-page.ts'
import type { TunnelDependencies } from '../tunnel.ts'
import { type SideSocket, relayToHolder } from './side-socket.ts'
import type { WatchedScreen } from './watched-screen.ts'
import type { Watcher, WatcherRequest } from './watcher.ts'

const FIRST_MESSAGE_TIMEOUT_MS = 10_000

export function serveWatcher(request: WatcherRequest, parts: TunnelDependencies): SideSocket {
  const { socket, holder, requestId } = request
  const { db, watching, refusals, onBug } = parts
  const over = Promise.withResolvers<void>()
  let asking: Promise<void> | null = null
  let seat: { readonly screen: WatchedScreen; readonly watcher: Watcher } | null = null
  let relayed = false

  function end(sentence: string): void {
    clearTimeout(firstMessageTimer)
    if (seat !== null) seat.screen.removeWatcher(seat.watcher, sentence)
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ kind: 'ended', sentence }))
    closePage(socket)
  }
  const firstMessageTimer = setTimeout(() => end(REMOTE_MESSAGES.invalidMessage), FIRST_MESSAGE_TIMEOUT_MS)

  async function startWatching(message: Extract<MessageFromWatcher, { kind: 'watch' }>): Promise<void> {
    const watchedScreen = await holderOfScreen(db, message.machine)
    const to = { path: WATCH_SOCKET, asked: JSON.stringify(message) }
    if (watchedScreen !== null && (await relayToHolder(request, watching, { held: watchedScreen, ...to }))) {
      relayed = true
      return
    }
    const watch = await db.transaction().execute((tx) => requestWatch(tx, holder, message))
    const screen = watching.find(watch.terminal)
    // The process that holds the screen has no peer URL, or the screen has just closed.
    const absent = watching.url === null ? WATCHING.processUnreachable : WATCHING.closed(watch.learner)
    const ended = screen === null ? absent : screen.whyNotWatchable(watch.learner)
    if (screen === null || ended !== null) {
      await db
        .transaction()
        .execute((tx) => endWatch(tx, watch, { actor: holder.actor, requestId, ended: ended ?? absent }))
      throw conflict(ended ?? absent)
    }
    seat = { screen, watcher: screen.addWatcher(watch, request) }
    if (socket.readyState !== WebSocket.OPEN) screen.removeWatcher(seat.watcher, WATCHING.left)
  }

  function onMessage(data: RawData, isBinary: boolean): void {
    if (relayed) return
    if (isBinary) {
      if (seat === null) return end(REMOTE_MESSAGES.invalidMessage)
      if (!seat.screen.input(seat.watcher, data as Buffer)) socket.pause()
      return
    }
    const message = read(data)
    if (message === null || (message.kind === 'watch') !== (asking === null)) return end(REMOTE_MESSAGES.invalidMessage)
    switch (message.kind) {
      case 'watch':
        clearTimeout(firstMessageTimer)
        asking = startWatching(message).catch(async (error: unknown) => {
          const { actor, address } = holder
          await refusals.write(null, error, {
            name: 'remote.watchBegin',
            requestId,
            actor,
            address,
            request: { machine: message.machine },
          })
          if (!(error instanceof Problem)) onBug(error)
          end(error instanceof Problem ? error.message : REMOTE_MESSAGES.portalRestarting)
        })
        return
      case 'shown':
        seat?.watcher.view.shown(message.bytes)
        return
      case 'keyboard':
        seat?.screen.requestKeyboard(seat.watcher, message.want)
    }
  }

  socket.on('message', onMessage)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearTimeout(firstMessageTimer)
    if (seat !== null) seat.screen.removeWatcher(seat.watcher, WATCHING.left)
    void Promise.resolve(asking).then(() => over.resolve())
  })
  return { end, closed: over.promise }
}

function read(data: RawData): MessageFromWatcher | null {
  try {
    return messageFromWatcher.parse(JSON.parse((data as Buffer).toString('utf8')))
  } catch {
    return null
  }
}
