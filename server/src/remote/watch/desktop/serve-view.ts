import { VIEW_SOCKET } from '@trainyard/contract/words/remote.ts'
import { desktopOfView } from '../../../domain/lab/remote/own-screen.ts'
import { decodeRequest, encodeError } from '../../clean-path.ts'
import { closePage } from '../../close-page.ts'
import type { TunnelParts } from '../../tunnel.ts'
import { type SideSocket, relayToHolder, serveSideSocket } from '../guest.ts'
import type { WatcherRequest } from '../watcher.ts'

export function serveView(request: WatcherRequest, { db, watching, onBug }: TunnelParts): SideSocket {
  const { socket, holder } = request
  return serveSideSocket(request, onBug, async (data, isBinary) => {
    const asked = isBinary ? decodeRequest(data) : null
    const [ticket = '', opening] = asked?.ticket.split('.') ?? []
    const held = asked === null ? null : await desktopOfView(db, holder.sessionHash, ticket)
    if (held !== null && (await relayToHolder(request, watching, { held, path: VIEW_SOCKET, asked: data }))) return
    const watchers = held === null ? [] : (watching.findDesktop(held.id)?.watchers() ?? [])
    const watcher = watchers.find(({ watch }) => watch.id === held?.watch)
    if (watcher?.view.attach(socket, opening) === true) return
    socket.send(encodeError(403))
    closePage(socket)
  })
}
