import { setTimeout as pause } from 'node:timers/promises'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../db/schema.ts'
import { sessionStands } from '../../core/session-stands.ts'
import type { TrainingInScope } from '../training/scope.ts'
import type { MachineChanges } from './changes.ts'

/** How often it is asked of a screen that stays open whether its viewer may still look: signed in, inside the window. */
const RECHECK_MS = 3_000

export interface Watch {
  readonly training: TrainingInScope
  readonly closed: AbortSignal
  send(machines: Machine[]): void
  load(among: readonly MachineId[] | null): Promise<Machine[]>
  /** Returns true while the viewer may still look. */
  stillAllowed(): Promise<boolean>
}

/** Sends a training's machines, all at first and then those that changed, until it is closed or not allowed any more. */
export async function watchMachines(changes: MachineChanges, watch: Watch): Promise<void> {
  const ended = new AbortController()
  const over = AbortSignal.any([watch.closed, ended.signal])
  let loading: Promise<void> = Promise.resolve()
  const shown = new Set<string>()
  const show = (among: readonly MachineId[] | null) => {
    // One after the other, so that what a screen is told last is what is true last.
    loading = loading
      .then(async () => {
        if (over.aborted) return
        const machines = await watch.load(among)
        if (over.aborted) return
        // One that was handed to somebody else: the screen asks for the list anew, where it is no more.
        const here = new Set(machines.map(({ _id }) => _id))
        if ((among ?? [...shown]).some((id) => shown.has(id) && !here.has(id))) return ended.abort()
        if (machines.length === 0) return
        // Passwords are among it: asked once more, after they were read, whether this viewer may have them.
        if (!(await watch.stillAllowed())) return ended.abort()
        for (const id of here) shown.add(id)
        watch.send(machines)
      })
      .catch(() => ended.abort())
  }
  const following = changes.follow(watch.training.id, show)
  try {
    show(null)
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
