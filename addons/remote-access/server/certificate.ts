import { X509Certificate } from 'node:crypto'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

/**
 * Returns true if the certificate (DER) is the pinned certificate. Pins the first certificate. Replaces a pinned
 * certificate only after it has expired, as Windows does.
 */
export async function isPinnedCertificate(db: Db, machine: MachineId, offeredCertificate: Buffer): Promise<boolean> {
  const pinned = await pinnedOf(db, machine)
  if (pinned?.equals(offeredCertificate)) return true
  if (pinned !== null && !(await hasExpired(db, pinned))) return false
  await db
    .updateTable('machine')
    .set({ desktop_certificate: offeredCertificate })
    .where('id', '=', machine)
    // If two requests pin a certificate concurrently, the first one wins.
    .where('desktop_certificate', 'is not distinct from', pinned)
    .execute()
  return (await pinnedOf(db, machine))?.equals(offeredCertificate) ?? false
}

async function pinnedOf(db: Db, machine: MachineId): Promise<Buffer | null> {
  const { desktop_certificate } = await db
    .selectFrom('machine')
    .select('desktop_certificate')
    .where('id', '=', machine)
    .executeTakeFirstOrThrow()
  return desktop_certificate
}

const hasExpired = async (db: Db, pinned: Buffer): Promise<boolean> =>
  new X509Certificate(pinned).validToDate < (await portalNow(db))
