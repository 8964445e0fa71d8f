import { createHash } from 'node:crypto'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { LOGO_BYTES_MAX, LOGO_PATH, type LogoType } from '../contract/logo.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { logoType } from './logo-image.ts'

/** Sets or removes (null) the logo. */
export async function setLogo(tx: Tx, id: OrganisationId, image: string | null): Promise<string | null> {
  const logo = image === null ? null : await store(tx, id, Buffer.from(image, 'base64'))
  if (image === null) await tx.deleteFrom('organisation_logo').where('organisation_id', '=', id).execute()
  await tx.updateTable('organisation').set({ logo }).where('id', '=', id).execute()
  return logo
}

async function store(tx: Tx, organisation_id: OrganisationId, bytes: Buffer): Promise<string> {
  if (bytes.length > LOGO_BYTES_MAX) {
    throw new Problem('malformed', `image must be at most ${LOGO_BYTES_MAX / 1024} kB large.`)
  }
  const image = { type: logoType(bytes), bytes, digest: createHash('sha256').update(bytes).digest() }
  await tx
    .insertInto('organisation_logo')
    .values({ organisation_id, ...image })
    .onConflict((on) => on.column('organisation_id').doUpdateSet(image))
    .execute()
  return `${LOGO_PATH}/${image.digest.toString('hex')}`
}

export const logoOf = (db: Db, digest: string): Promise<{ type: LogoType; bytes: Buffer } | undefined> =>
  db
    .selectFrom('organisation_logo')
    .select(['type', 'bytes'])
    .where('digest', '=', Buffer.from(digest, 'hex'))
    .limit(1)
    .executeTakeFirst()
