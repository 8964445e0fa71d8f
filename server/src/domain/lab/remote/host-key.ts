import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

/** Keeps the key that a machine shows first; answers whether the key shown is the one kept. Of two at once the first stands. */
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
