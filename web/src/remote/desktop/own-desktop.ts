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

/** Opens the socket beside a desktop's own, which carries RDP alone: who watches it, and what they may. */
export function openOwnDesktop({ machine, ticket }: DesktopOffer, events: OwnDesktopEvents) {
  const socket = socketTo(OWN_DESKTOP_SOCKET)
  const send = (message: FromOwnDesktop) => sendTo(socket, message)
  socket.addEventListener('open', () => send({ kind: 'own', machine, ticket }))
  socket.addEventListener('close', () => events.watched([]))
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as ToOwnDesktop
    if (message.kind === 'consent') events.consent(message.watching)
    else if (message.kind === 'watchers') events.watched(message.watchers)
    else events.pointed(message)
  })
  return {
    answer: (id: string, answer: Answer) => send({ kind: 'watcher', id, answer }),
    close: () => socket.close(),
  }
}
