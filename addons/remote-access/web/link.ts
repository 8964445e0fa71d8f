import type { DesktopOffer, MessageFromPage, MessageToPage, Watcher } from '../contract/remote.ts'
import { REMOTE_SOCKET } from '../contract/remote-words.ts'
import { openTerminalSocket, type TerminalEvents } from './socket.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface LinkEvents extends Omit<TerminalEvents<never>, 'received'> {
  opened(account: string, watching: 'asked' | 'unasked' | null): void
  watched(watchers: readonly Watcher[]): void
  desktop(offer: DesktopOffer): void
}

export type Link = ReturnType<typeof openLink>

/** Rendered output is acknowledged in steps of this size, far below the gateway's send window. */
const ACK_BYTES = 32 * 1024

export function openLink(
  { machine, ticket, desktop }: { readonly machine: string; readonly ticket: string; readonly desktop: boolean },
  size: Size,
  { opened, watched, desktop: offered, ...events }: LinkEvents,
) {
  const { send, type, expectEnd, close } = openTerminalSocket<MessageFromPage, MessageToPage>(
    REMOTE_SOCKET,
    { kind: 'open', machine, ticket, desktop, ...size },
    {
      ...events,
      received(message) {
        if (message.kind === 'opened') return opened(message.account, message.watching)
        if (message.kind === 'watchers') return watched(message.watchers)
        // The server closes the socket after the offer, which is not an error.
        expectEnd()
        offered(message)
      },
    },
    ACK_BYTES,
  )
  return {
    type,
    close,
    resize: (to: Size) => send({ kind: 'resize', ...to }),
    answer: (answer: Omit<Extract<MessageFromPage, { kind: 'watcher' }>, 'kind'>) =>
      send({ kind: 'watcher', ...answer }),
  }
}
