import { VIEW_SOCKET } from '@trainyard/contract/words/remote.ts'
import { desktopOfView } from '../../../domain/lab/remote/watched.ts'
import { readRequest, writeRefusal } from '../../clean-path.ts'
import { closePage } from '../../close-page.ts'
import type { TunnelParts } from '../../tunnel.ts'
import { type Guest, leadOn, serveGuest } from '../guest.ts'
import type { WatcherRequest } from '../watcher.ts'

/** Serves the client that shows a learner's desktop to a watcher. */
export function serveView(request: WatcherRequest, { db, watching, onBug }: TunnelParts): Guest {
  const { socket, holder } = request
  return serveGuest(request, onBug, async (data, isBinary) => {
    const asked = isBinary ? readRequest(data) : null
    const [ticket = '', opening] = asked?.ticket.split('.') ?? []
    const held = asked === null ? null : await desktopOfView(db, holder.sessionHash, ticket)
    if (held !== null && (await leadOn(request, watching, { held, path: VIEW_SOCKET, asked: data }))) return
    const watchers = held === null ? [] : (watching.findDesktop(held.id)?.watchers() ?? [])
    const watcher = watchers.find(({ watch }) => watch.id === held?.watch)
    if (watcher?.view.attach(socket, opening) === true) return
    socket.send(writeRefusal(403))
    closePage(socket)
  })
}
