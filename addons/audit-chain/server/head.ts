import { type KeyObject, sign, verify } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { publicKeyOf, verifyingKey } from '@trainyard/platform/server/run/secrets/signing-key.ts'

/** Signed link. Bytes are hexadecimal. */
export interface Head {
  readonly position: number
  readonly chain: string
  readonly signedAt: string
  readonly publicKey: string
  readonly signature: string
}

type Unsigned = Pick<Head, 'position' | 'chain' | 'signedAt'>

const textOf = ({ position, chain, signedAt }: Unsigned) =>
  Buffer.from(`trainyard audit\n${position}\n${chain}\n${signedAt}`)

export const signHead = (head: Unsigned, key: KeyObject): Head => ({
  ...head,
  publicKey: publicKeyOf(key).toString('hex'),
  signature: sign(null, textOf(head), key).toString('hex'),
})

export const isSigned = (head: Head): boolean =>
  verify(null, textOf(head), verifyingKey(Buffer.from(head.publicKey, 'hex')), Buffer.from(head.signature, 'hex'))

/** Public keys whose signatures are trusted, each with the last position that it may have signed. */
export type TrustedKeys = ReadonlyMap<string, number>

export const isTrusted = (keys: TrustedKeys, { publicKey, position }: Pick<Head, 'publicKey' | 'position'>): boolean =>
  position <= (keys.get(publicKey) ?? -1)

/**
 * Signs and logs the last link once per UTC day. An attacker is unlikely to manipulate both the database and the log.
 */
export async function signAuditHead(
  db: Db,
  key: () => KeyObject,
  logMessage: (sentence: string) => void,
): Promise<void> {
  const last = await lastLink(db)
  if (last === undefined) return
  const signed = await db
    .selectFrom('audit_head')
    .select('position')
    .where((head) =>
      head.or([
        head('position', '>=', last.position),
        head('signed_at', '>=', sql<Date>`date_trunc('day', portal_now(), 'UTC')`),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (signed !== undefined) return
  await signLink(db, last, key(), logMessage)
}

/** Signs the last link. Returns its position; 0 if no row is sealed. */
export async function signEnd(db: Db, key: KeyObject, logMessage: (sentence: string) => void): Promise<number> {
  const last = await lastLink(db)
  if (last === undefined) return 0
  await signLink(db, last, key, logMessage)
  return last.position
}

const lastLink = (db: Db) =>
  db
    .selectFrom('audit_seal')
    .select(['position', sql<string>`encode(chain, 'hex')`.as('chain')])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

async function signLink(
  db: Db,
  link: { readonly position: number; readonly chain: string },
  key: KeyObject,
  logMessage: (sentence: string) => void,
): Promise<void> {
  const head = signHead({ ...link, signedAt: (await portalNow(db)).toISOString() }, key)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('audit_head')
    .values(columnsOf(head))
    .onConflict((on) => on.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) logMessage(`Signed audit head: ${JSON.stringify(head)}`)
}

const columnsOf = (head: Head) => ({
  position: head.position,
  chain: Buffer.from(head.chain, 'hex'),
  signed_at: new Date(head.signedAt),
  public_key: Buffer.from(head.publicKey, 'hex'),
  signature: Buffer.from(head.signature, 'hex'),
})

export async function signedHeads(db: Db): Promise<Head[]> {
  const rows = await db.selectFrom('audit_head').selectAll().orderBy('position').execute()
  return rows.map((row) => ({
    position: row.position,
    chain: row.chain.toString('hex'),
    signedAt: row.signed_at.toISOString(),
    publicKey: row.public_key.toString('hex'),
    signature: row.signature.toString('hex'),
  }))
}
