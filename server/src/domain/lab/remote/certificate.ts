import { X509Certificate } from 'node:crypto'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { portalNow } from '../../../db/client.ts'
import type { Db } from '../../../db/schema.ts'

/**
 * Keeps the certificate (DER) that a machine's desktop shows first; answers whether the one shown is the one kept. Windows
 * makes itself another when its own has run out: then, and only then, another takes its place.
 */
export async function isPinnedCertificate(db: Db, machine: MachineId, shown: Buffer): Promise<boolean> {
  const kept = await keptOf(db, machine)
  if (kept?.equals(shown)) return true
  if (kept !== null && !(await hasRunOut(db, kept))) return false
  await db
    .updateTable('machine')
    .set({ desktop_certificate: shown })
    .where('id', '=', machine)
    // Of two at once the first stands.
    .where('desktop_certificate', 'is not distinct from', kept)
    .execute()
  return (await keptOf(db, machine))?.equals(shown) ?? false
}

async function keptOf(db: Db, machine: MachineId): Promise<Buffer | null> {
  const { desktop_certificate } = await db
    .selectFrom('machine')
    .select('desktop_certificate')
    .where('id', '=', machine)
    .executeTakeFirstOrThrow()
  return desktop_certificate
}

const hasRunOut = async (db: Db, kept: Buffer): Promise<boolean> =>
  new X509Certificate(kept).validToDate < (await portalNow(db))
