import type {
  DesktopOffer,
  FromOwnDesktop,
  PointerNow,
  ToOwnDesktop,
  Watcher,
} from '@trainyard/contract/calls/remote.ts'
import { OWN_DESKTOP_SOCKET } from '@trainyard/contract/words/remote.ts'
import { sendTo, socketTo } from '../socket.ts'
import type { Answer } from '../Watchers.tsx'

interface OwnDesktopEvents {
  consent(watching: 'asked' | 'unasked' | null): void
  watched(watchers: readonly Watcher[]): void
  /** Somebody who has the keyboard moved the pointer. */
  pointed(at: PointerNow): void
}

const AGAIN_MS = 5_000

/**
 * Opens the socket beside a desktop's own, which carries RDP alone: who watches it, and what they may. It is opened again
 * while the desktop is: nobody can watch a learner who is not told.
 */
export function openOwnDesktop({ machine, ticket }: DesktopOffer, events: OwnDesktopEvents) {
  let socket: WebSocket
  let again: ReturnType<typeof setTimeout> | undefined
  const send = (message: FromOwnDesktop) => sendTo(socket, message)
  const open = () => {
    socket = socketTo(OWN_DESKTOP_SOCKET)
    socket.addEventListener('open', () => send({ kind: 'own', machine, ticket }))
    socket.addEventListener('close', lost)
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as ToOwnDesktop
      if (message.kind === 'consent') events.consent(message.watching)
      else if (message.kind === 'watchers') events.watched(message.watchers)
      else events.pointed(message)
    })
  }
  const lost = () => {
    events.watched([])
    again = setTimeout(open, AGAIN_MS)
  }
  open()
  return {
    answer: (id: string, answer: Answer) => send({ kind: 'watcher', id, answer }),
    close() {
      clearTimeout(again)
      socket.removeEventListener('close', lost)
      socket.close()
    },
  }
}
