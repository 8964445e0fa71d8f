import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Shells } from './shell.ts'
import type { Clouds } from '@trainyard/templates/server/cloud.ts'
import { isPinnedKey } from './host-key.ts'
import { selectMachinesWithoutKey } from './queries.ts'

/** Pins the keys of machines before a user connects: those that the provider reads, otherwise the first ones offered. */
export async function pinFirstKeys(
  db: Db,
  shells: Pick<Shells, 'getHostKey'>,
  clouds: Clouds,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await selectMachinesWithoutKey(db)
  await Promise.all(
    rows.map(async ({ id, name, provider, group, ...at }) => {
      const cloud = clouds[provider]
      const reading = cloud?.readHostKey?.({ name, place: { group } }, signal) ?? shells.getHostKey(at, signal)
      // The machine may still be starting. The next run retries it.
      const key = await reading.catch(() => null)
      if (key !== null) await isPinnedKey(db, id, key)
    }),
  )
}
