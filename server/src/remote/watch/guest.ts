import type { RawData } from 'ws'
import type { OwnScreen } from '../../domain/lab/remote/watched.ts'
import { Problem } from '../../core/errors.ts'
import { closePage } from '../close-page.ts'
import { relay } from './relay.ts'
import type { Watching } from './watching.ts'
import type { WatcherRequest } from './watcher.ts'

/** A socket beside a screen: it ends with its page, or with this process. */
export interface Guest {
  end(sentence: string): void
  /** Settles once nobody is there any more, and what was asked is answered. */
  readonly over: Promise<void>
}

/** A page has this long to say what it wants. */
const SPEAK_MS = 10_000

/** Waits for a page's first words; whoever says none in time, or others than those expected, is sent away. */
export function serveGuest(
  { socket }: WatcherRequest,
  onBug: (bug: unknown) => void,
  first: (data: Buffer, isBinary: boolean) => Promise<void>,
): Guest {
  const over = Promise.withResolvers<void>()
  let asking: Promise<void> | null = null
  const end = () => closePage(socket)
  const impatience = setTimeout(end, SPEAK_MS)
  socket.once('message', (data: RawData, isBinary) => {
    clearTimeout(impatience)
    asking = first(data as Buffer, isBinary).catch((error: unknown) => {
      // A process that does not answer any more holds the screen: the page finds that nothing comes, and asks anew.
      if (!(error instanceof Problem)) onBug(error)
      end()
    })
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearTimeout(impatience)
    void Promise.resolve(asking).then(() => over.resolve())
  })
  return { end, over: over.promise }
}

/** Has another process serve a page, where that one holds the screen; answers whether it does. */
export async function leadOn(
  request: WatcherRequest,
  watching: Watching,
  to: { readonly held: OwnScreen; readonly path: string; readonly asked: string | Buffer },
): Promise<boolean> {
  const { id, heldAt } = to.held
  if (watching.find(id) !== null || heldAt === watching.url || heldAt === null || request.wasRelayed) return false
  await relay(request, heldAt, to.path, to.asked)
  return true
}
