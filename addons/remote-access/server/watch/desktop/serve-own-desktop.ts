import {
  type MessageFromOwnDesktop,
  messageFromOwnDesktop,
  type MessageToOwnDesktop,
} from '../../../contract/remote.ts'
import { OWN_DESKTOP_SOCKET } from '../../../contract/remote-words.ts'
import { desktopOfTicket } from '../../own-screen.ts'
import { closePage } from '../../close-page.ts'
import type { TunnelDependencies } from '../../tunnel.ts'
import { type SideSocket, relayToHolder, serveSideSocket } from '../side-socket.ts'
import type { WatcherRequest } from '../watcher.ts'

/** Serves the control socket of a learner's desktop page. The desktop's own socket carries RDP only. */
export function serveOwnDesktop(request: WatcherRequest, { db, watching, onBug }: TunnelDependencies): SideSocket {
  const { socket, holder } = request
  return serveSideSocket(request, onBug, async (data, isBinary) => {
    const openRequest = isBinary ? null : read(data)
    const desktopOfRequest =
      openRequest?.kind === 'own' ? await desktopOfTicket(db, holder.sessionHash, openRequest.ticket) : null
    if (desktopOfRequest === null) return closePage(socket)
    if (
      await relayToHolder(request, watching, {
        held: desktopOfRequest,
        path: OWN_DESKTOP_SOCKET,
        asked: data.toString(),
      })
    )
      return
    const desktop = watching.findDesktop(desktopOfRequest.id)
    if (desktop === null) {
      const unwatched: MessageToOwnDesktop = { kind: 'consent', watching: null }
      socket.send(JSON.stringify(unwatched))
      return closePage(socket)
    }
    socket.on('message', (next: Buffer, isBytes) => {
      const reply = isBytes ? null : read(next)
      if (reply?.kind === 'watcher') desktop.handleAnswer(reply)
      else closePage(socket)
    })
    desktop.attachOwner(socket)
  })
}

function read(data: Buffer): MessageFromOwnDesktop | null {
  try {
    return messageFromOwnDesktop.parse(JSON.parse(data.toString('utf8')))
  } catch {
    return null
  }
}
