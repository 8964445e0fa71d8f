import type { RawData } from 'ws'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { OwnScreen } from '../queries.ts'
import { closePage } from '../close-page.ts'
import { relay } from './relay.ts'
import type { WatchedScreens } from './watched-screens.ts'
import type { WatcherRequest } from './watcher.ts'

export interface SideSocket {
  end(sentence: string): void
  readonly closed: Promise<void>
}

const FIRST_MESSAGE_TIMEOUT_MS = 10_000

export function serveSideSocket(
  { socket }: WatcherRequest,
  onBug: (bug: unknown) => void,
  first: (data: Buffer, isBinary: boolean) => Promise<void>,
): SideSocket {
  const over = Promise.withResolvers<void>()
  let asking: Promise<void> | null = null
  const end = () => closePage(socket)
  const firstMessageTimer = setTimeout(end, FIRST_MESSAGE_TIMEOUT_MS)
  socket.once('message', (data: RawData, isBinary) => {
    clearTimeout(firstMessageTimer)
    asking = first(data as Buffer, isBinary).catch((error: unknown) => {
      // The process that holds the screen does not respond. The page detects the closed socket and retries.
      if (!(error instanceof Problem)) onBug(error)
      end()
    })
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearTimeout(firstMessageTimer)
    void Promise.resolve(asking).then(() => over.resolve())
  })
  return { end, closed: over.promise }
}

/** Relays the page to the process that holds the screen. Returns false if this process must serve it. */
export async function relayToHolder(
  request: WatcherRequest,
  watching: WatchedScreens,
  to: { readonly held: OwnScreen; readonly path: string; readonly asked: string | Buffer },
): Promise<boolean> {
  const { id, heldAt } = to.held
  if (watching.find(id) !== null || heldAt === watching.url || heldAt === null || request.wasRelayed) return false
  await relay(request, heldAt, to.path, to.asked)
  return true
}
