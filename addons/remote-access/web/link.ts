import type { DesktopOffer, MessageFromPage, MessageToPage, Watcher } from '../contract/remote.ts'
import { REMOTE_SOCKET } from '../contract/remote-words.ts'
import { openTerminalSocket, type TerminalEvents } from './socket.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface LinkEvents extends Omit<TerminalEvents<never>, 'received'> {
  /** @param as how the shell relates to what the page shows */
  opened(account: string, watching: 'asked' | 'unasked' | null, as: 'first' | 'same' | 'redrawn' | 'other'): void
  lost(): void
  watched(watchers: readonly Watcher[]): void
  desktop(offer: DesktopOffer): void
}

/** Terminal of a page, and how much of its output the page has received. */
export interface Position {
  readonly terminal: string
  readonly received: number
}

export type Link = ReturnType<typeof openLink>

/** Rendered output is acknowledged in steps of this size, far below the gateway's send window. */
const ACK_BYTES = 32 * 1024

export function openLink(
  {
    resume,
    ...request
  }: {
    readonly machine: string
    readonly ticket: string
    readonly desktop: boolean
    readonly resume: Position | null
  },
  size: Size,
  { opened, watched, desktop: offered, printed, ...events }: LinkEvents,
) {
  let terminal: string | null = null
  let received = 0
  const { send, type, expectEnd, close } = openTerminalSocket<MessageFromPage, MessageToPage>(
    REMOTE_SOCKET,
    { kind: 'open', ...request, ...(resume && { resume }), ...size },
    {
      ...events,
      printed(bytes, onShown) {
        received += bytes.length
        printed(bytes, onShown)
      },
      received(message) {
        if (message.kind === 'opened') {
          const { account, watching, from } = message
          const isSame = message.terminal === resume?.terminal
          terminal = message.terminal
          received = from
          return opened(
            account,
            watching,
            resume === null ? 'first' : !isSame ? 'other' : from === resume.received ? 'same' : 'redrawn',
          )
        }
        if (message.kind === 'watchers') return watched(message.watchers)
        // The server closes the socket after the offer, which is not an error.
        expectEnd()
        offered(message)
      },
    },
    ACK_BYTES,
  )
  return {
    /** Typing before the shell is open is dropped. */
    type: (text: string) => {
      if (terminal !== null) type(text)
    },
    close,
    position: (): Position | null => (terminal === null ? resume : { terminal, received }),
    resize: (to: Size) => send({ kind: 'resize', ...to }),
    answer: (answer: Omit<Extract<MessageFromPage, { kind: 'watcher' }>, 'kind'>) =>
      send({ kind: 'watcher', ...answer }),
  }
}
