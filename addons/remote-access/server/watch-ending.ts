import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { selectWatchEndReasons, closeWatches } from './queries.ts'

/** Returns the reason why each of the given watches must end. A watch that may continue is absent. */
export async function watchEndReasons(
  db: Db,
  watches: readonly string[],
  rule: SecondFactorRule,
): Promise<Map<string, string>> {
  await closeAbandonedWatches(db)
  if (watches.length === 0) return new Map()
  const { rows } = await selectWatchEndReasons(db, rule, watches)
  return new Map(
    rows.map(({ id, machine, signedIn, closed }) => [
      id,
      closed
        ? REMOTE_MESSAGES.portalRestarting
        : signedIn
          ? REMOTE_MESSAGES.outOfScope(machine)
          : REMOTE_MESSAGES.signedOut,
    ]),
  )
}

/** Closes watches whose process has died. The audit row has no actor, because no user closed the watch. */
async function closeAbandonedWatches(db: Db): Promise<void> {
  await closeWatches(db)
}
