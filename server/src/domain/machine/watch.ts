import { setTimeout as pause } from 'node:timers/promises'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../db/schema.ts'
import { sessionStands } from '../../core/session-stands.ts'
import type { Hear } from './changes.ts'

/** How often it is asked of a screen that stays open whether its viewer may still look: signed in, inside the window. */
const RECHECK_MS = 3_000

export interface Watch<T> {
  /** Tells what changes, until it is let go. */
  follow(hear: Hear): { letGo(): void }
  readonly closed: AbortSignal
  send(seen: T): void
  /** Returns what is to be shown of these, or of all; null: nothing of it concerns this viewer. To end, it throws. */
  load(among: readonly MachineId[] | null, ofAll: boolean): Promise<T | null>
  /** Returns true while the viewer may still look. */
  stillAllowed(): Promise<boolean>
}

/** Sends all there is to see at first, and then what changed, until it is closed or not allowed any more. */
export async function watchChanges<T>(watch: Watch<T>): Promise<void> {
  const ended = new AbortController()
  const over = AbortSignal.any([watch.closed, ended.signal])
  let loading: Promise<void> = Promise.resolve()
  const show = (among: readonly MachineId[] | null, ofAll: boolean) => {
    // One after the other, so that what a screen is told last is what is true last.
    loading = loading
      .then(async () => {
        if (over.aborted) return
        const seen = await watch.load(among, ofAll)
        if (seen === null || over.aborted) return
        // Passwords are among it: asked once more, after they were read, whether this viewer may have them.
        if (await watch.stillAllowed()) watch.send(seen)
        else ended.abort()
      })
      .catch(() => ended.abort())
  }
  const following = watch.follow(show)
  try {
    show(null, true)
    while (!over.aborted) {
      await pause(RECHECK_MS, undefined, { signal: over }).catch(() => {})
      if (!over.aborted && !(await watch.stillAllowed().catch(() => false))) ended.abort()
    }
  } finally {
    following.letGo()
    await loading
  }
}

/** Returns true when a session exists and belongs to someone who may still see this. */
export async function mayWatch(db: Db, hash: Buffer, role: string): Promise<boolean> {
  const found = await db
    .selectFrom('session')
    .innerJoin('portal_user', 'portal_user.id', 'session.user_id')
    .select('portal_user.role')
    .where('session.token_hash', '=', hash)
    .where(sessionStands())
    .executeTakeFirst()
  return found?.role === role
}
