import type {
  DesktopOffer,
  MessageFromOwnDesktop,
  PointerPosition,
  MessageToOwnDesktop,
  Watcher,
} from '../../contract/remote.ts'
import { OWN_DESKTOP_SOCKET } from '../../contract/remote-words.ts'
import { pauseAfter } from '@trainyard/platform/web/api/backoff.ts'
import { REFUSED_MS } from '@trainyard/platform/web/api/refusals.ts'
import { sendTo, socketTo } from '../socket.ts'
import type { Answer } from '../Watchers.tsx'

interface OwnDesktopEvents {
  consent(watching: 'asked' | 'unasked' | null): void
  watched(watchers: readonly Watcher[]): void
  pointed(at: PointerPosition): void
}

/**
 * Opens the control socket, which is separate from the desktop's socket because the desktop's socket carries only RDP.
 * Without the control socket, the gateway allows no watcher.
 */
export function openOwnDesktop({ machine, ticket }: DesktopOffer, events: OwnDesktopEvents) {
  let socket: WebSocket
  let reconnecting: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  const send = (message: MessageFromOwnDesktop) => sendTo(socket, message)
  const open = () => {
    socket = socketTo(OWN_DESKTOP_SOCKET)
    socket.addEventListener('open', () => send({ kind: 'own', machine, ticket }))
    socket.addEventListener('close', handleLoss)
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      failures = 0
      const message = JSON.parse(data) as MessageToOwnDesktop
      if (message.kind === 'consent') events.consent(message.watching)
      else if (message.kind === 'watchers') events.watched(message.watchers)
      else events.pointed(message)
    })
  }
  const handleLoss = () => {
    events.watched([])
    // A socket that closes before its first message was probably refused.
    reconnecting = setTimeout(open, Math.max(pauseAfter(failures), failures > 0 ? REFUSED_MS : 0))
    failures += 1
  }
  open()
  return {
    answer: (id: string, answer: Answer) => send({ kind: 'watcher', id, answer }),
    close() {
      clearTimeout(reconnecting)
      socket.removeEventListener('close', handleLoss)
      socket.close()
    },
  }
}
