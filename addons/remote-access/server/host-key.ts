import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

/**
 * Returns true if the key is the pinned key. Pins the first key. If two requests pin a key concurrently, the first one
 * wins.
 */
export async function isPinnedKey(db: Db, machine: MachineId, offeredKey: Buffer): Promise<boolean> {
  await db
    .updateTable('machine')
    .set({ host_key: offeredKey })
    .where('id', '=', machine)
    .where('host_key', 'is', null)
    .execute()
  const { host_key } = await db
    .selectFrom('machine')
    .select('host_key')
    .where('id', '=', machine)
    .executeTakeFirstOrThrow()
  return host_key !== null && host_key.equals(offeredKey)
}

/**
 * Returns a public key in the format of a known_hosts file. The key begins with its length and type (RFC 4253, section
 * 6.6).
 */
export function publicKeyLine(key: Buffer): string {
  const type = key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1')
  return `${type} ${key.toString('base64')}`
}
