import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { LmsPlatformId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { SigningKey } from './lms-provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { lmsKeyContext } from './encryption-context.ts'
import { deleteOldKeys, OVERLAP } from './queries.ts'

/** Age at which the next key is published, in days. */
const ROTATION_DAYS = 90

const generate = promisify(generateKeyPair)

export interface NewKey {
  readonly privateKey: string
  readonly modulus: string
  readonly exponent: string
}

/** Returns a new RSA key pair. Takes about 100 ms, so call it outside a transaction. */
export async function generateKey(): Promise<NewKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 })
  const { n, e } = publicKey.export({ format: 'jwk' })
  return { privateKey: String(privateKey.export({ format: 'pem', type: 'pkcs8' })), modulus: n!, exponent: e! }
}

/** Stores a key of an LMS with its private part encrypted. */
export async function addKey(
  tx: Tx,
  seal: Seal,
  platform: { readonly id: LmsPlatformId; readonly organisation: OrganisationId },
  { privateKey, modulus, exponent }: NewKey,
): Promise<void> {
  await tx
    .insertInto('lms_key')
    .values({
      platform_id: platform.id,
      organisation_id: platform.organisation,
      private_key: seal.seal(privateKey, lmsKeyContext(platform.id)),
      modulus,
      exponent,
    })
    .execute()
}

/** Returns the published keys of an LMS, newest first. @throws Problem notFound */
export async function publicKeysOf(db: Db, platform: LmsPlatformId) {
  const rows = await db
    .selectFrom('lms_key')
    .select(['id', 'modulus', 'exponent'])
    .where('platform_id', '=', platform)
    .orderBy('created_at', 'desc')
    .execute()
  if (rows.length === 0) throw notFound('LMS')
  return rows.map(({ id, modulus, exponent }) => ({
    kty: 'RSA' as const,
    kid: id,
    use: 'sig' as const,
    alg: 'RS256' as const,
    n: modulus,
    e: exponent,
  }))
}

/** Returns the newest key that has been published for at least `OVERLAP`; if there is none, the oldest key. */
export async function signingKeyOf(db: Db, seal: Seal, platform: LmsPlatformId): Promise<SigningKey> {
  const row = await db
    .selectFrom('lms_key')
    .select(['id', 'private_key'])
    .where('platform_id', '=', platform)
    .orderBy(sql`created_at <= portal_now() - ${OVERLAP}`, 'desc')
    .orderBy(sql`case when created_at <= portal_now() - ${OVERLAP} then created_at end`, 'desc')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { id: row.id, privateKey: seal.open(row.private_key, lmsKeyContext(platform)) }
}

/** Publishes new keys for LMSs whose key is old, and deletes keys that were replaced a day ago. */
export async function rotateKeys(db: Db, seal: Seal, signal: AbortSignal): Promise<void> {
  // A new key is first used one `OVERLAP` after its creation. The old key is deleted one `OVERLAP` after this first
  // use.
  await deleteOldKeys(db)
  const due = await db
    .selectFrom('lms_platform as p')
    .select(['p.id', 'p.organisation_id as organisation'])
    .where(
      sql<boolean>`not exists (select from lms_key k where k.platform_id = p.id
        and k.created_at > portal_now() - make_interval(days => ${ROTATION_DAYS}))`,
    )
    .limit(1_000)
    .execute()
  for (const platform of due) {
    signal.throwIfAborted()
    const key = await generateKey()
    await db.transaction().execute((tx) => addKey(tx, seal, platform, key))
  }
}
