import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Shells } from './shell.ts'
import { isPinnedKey } from './host-key.ts'
import { selectMachinesWithoutKey } from './queries.ts'

/** Pins the keys of machines before a user connects. */
export async function pinFirstKeys(db: Db, shells: Pick<Shells, 'getHostKey'>, signal: AbortSignal): Promise<void> {
  const { rows } = await selectMachinesWithoutKey(db)
  await Promise.all(
    rows.map(async ({ id, ...at }) => {
      // The machine may still be starting. The next run retries it.
      const key = await shells.getHostKey(at, signal).catch(() => null)
      if (key !== null) await isPinnedKey(db, id, key)
    }),
  )
}
