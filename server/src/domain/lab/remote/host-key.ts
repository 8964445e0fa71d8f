import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

/** Pins the first key. If two requests pin a key concurrently, the first one wins. */
export async function isPinnedKey(db: Db, machine: MachineId, shown: Buffer): Promise<boolean> {
  await db
    .updateTable('machine')
    .set({ host_key: shown })
    .where('id', '=', machine)
    .where('host_key', 'is', null)
    .execute()
  const { host_key } = await db
    .selectFrom('machine')
    .select('host_key')
    .where('id', '=', machine)
    .executeTakeFirstOrThrow()
  return host_key !== null && host_key.equals(shown)
}
