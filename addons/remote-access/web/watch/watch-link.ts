import type { MessageFromWatcher, MessageToWatcher } from '../../contract/remote.ts'
import { WATCH_SOCKET } from '../../contract/remote-words.ts'
import { openTerminalSocket, type TerminalEvents } from '../socket.ts'

export type WatchLink = ReturnType<typeof openWatch>

export function openWatch(machine: string, ticket: string, events: TerminalEvents<MessageToWatcher>) {
  const socket = openTerminalSocket<MessageFromWatcher, MessageToWatcher>(
    WATCH_SOCKET,
    { kind: 'watch', machine, ticket },
    events,
  )
  return {
    type: socket.type,
    close: socket.close,
    pictureConnected: () => socket.send({ kind: 'shown', bytes: 1 }),
    wantKeyboard: (want: boolean) => socket.send({ kind: 'keyboard', want }),
  }
}
