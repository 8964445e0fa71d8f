import { type FromOwnDesktop, fromOwnDesktop, type ToOwnDesktop } from '@trainyard/contract/calls/remote.ts'
import { OWN_DESKTOP_SOCKET } from '@trainyard/contract/words/remote.ts'
import { desktopOfTicket } from '../../../domain/lab/remote/watched.ts'
import { closePage } from '../../close-page.ts'
import type { TunnelParts } from '../../tunnel.ts'
import { type Guest, leadOn, serveGuest } from '../guest.ts'
import type { WatcherRequest } from '../watcher.ts'

/** Serves the control socket of a learner's desktop page. The desktop's own socket carries RDP only. */
export function serveOwnDesktop(request: WatcherRequest, { db, watching, onBug }: TunnelParts): Guest {
  const { socket, holder } = request
  return serveGuest(request, onBug, async (data, isBinary) => {
    const asked = isBinary ? null : read(data)
    const held = asked?.kind === 'own' ? await desktopOfTicket(db, holder.sessionHash, asked.ticket) : null
    if (held === null) return closePage(socket)
    if (await leadOn(request, watching, { held, path: OWN_DESKTOP_SOCKET, asked: data.toString() })) return
    const desktop = watching.findDesktop(held.id)
    if (desktop === null) {
      const unwatched: ToOwnDesktop = { kind: 'consent', watching: null }
      socket.send(JSON.stringify(unwatched))
      return closePage(socket)
    }
    socket.on('message', (next: Buffer, isBytes) => {
      const said = isBytes ? null : read(next)
      if (said?.kind === 'watcher') desktop.answered(said)
      else closePage(socket)
    })
    desktop.attachOwner(socket)
  })
}

function read(data: Buffer): FromOwnDesktop | null {
  try {
    return fromOwnDesktop.parse(JSON.parse(data.toString('utf8')))
  } catch {
    return null
  }
}
