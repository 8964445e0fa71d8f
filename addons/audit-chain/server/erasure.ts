import { type KeyObject, sign, verify } from 'node:crypto'
import type { ErasedPerson } from '@trainyard/platform/server/core/audit.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { publicKeyOf, verifyingKey } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { type AuditRow, rowHashOf, type Seal } from './chain.ts'
import { isTrusted, type TrustedKeys } from './head.ts'
import { selectBatchToErase, updateErasedRow, upsertErasure, type Erasure, ERASED_AT_ONCE } from './queries.ts'
import { sealAudit } from './seal.ts'

/**
 * Returns the signed text. It contains the sealed hash, so that the erasure of one row is not valid for another row.
 */
const textOf = ({ position, rowHash: sealed }: Seal, { rowHash, erasedAt }: Pick<Erasure, 'rowHash' | 'erasedAt'>) =>
  Buffer.from(`trainyard audit erasure\n${position}\n${sealed}\n${rowHash}\n${erasedAt}`)

function signErasure(seal: Seal, erased: Pick<Erasure, 'rowHash' | 'erasedAt'>, key: KeyObject): Erasure {
  return {
    ...erased,
    publicKey: publicKeyOf(key).toString('hex'),
    signature: sign(null, textOf(seal, erased), key).toString('hex'),
  }
}

/** @param keys null: every key is accepted */
export function isErasedRow(row: AuditRow, seal: Seal, erasure: Erasure, keys: TrustedKeys | null): boolean {
  const { publicKey, signature, rowHash } = erasure
  if (rowHash !== rowHashOf(row)) return false
  if (keys !== null && !isTrusted(keys, { publicKey, position: seal.position })) return false
  const key = verifyingKey(Buffer.from(publicKey, 'hex'))
  return verify(null, textOf(seal, erasure), key, Buffer.from(signature, 'hex'))
}

/**
 * Replaces a person's addresses and names in sealed audit rows, removes network addresses of their calls, and signs the
 * new hashes. Returns the number of changed rows. Must run as the database's owner, without a transaction.
 */
export async function eraseFromAudit(
  owner: Db,
  { key, signal, ...person }: ErasedPerson & { readonly key: KeyObject; readonly signal: AbortSignal },
): Promise<number> {
  // Only sealed rows are changed, because a row without a seal would later get a seal of the changed content.
  await sealAudit(owner, { signal })
  let changed = 0
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const batch = await owner.transaction().execute((tx) => eraseBatch(tx, person, key, after))
    changed += batch.length
    if (batch.length < ERASED_AT_ONCE) return changed
    after = batch.at(-1)!
  }
}

/** Returns the positions of the changed rows. */
async function eraseBatch(tx: Tx, person: ErasedPerson, key: KeyObject, after: number): Promise<number[]> {
  const { users, organisation, pattern } = person
  const { rows } = await selectBatchToErase(tx, after, organisation, users, pattern)
  const erasedAt = (await portalNow(tx)).toISOString()
  for (const { row, seal } of rows) await eraseRow(tx, { row, seal, erasedAt }, person, key)
  return rows.map(({ seal }) => seal.position)
}

async function eraseRow(
  tx: Tx,
  { row, seal, erasedAt }: { readonly row: AuditRow; readonly seal: Seal; readonly erasedAt: string },
  { users, replaceAddresses, replaceNames }: ErasedPerson,
  key: KeyObject,
): Promise<void> {
  const document = (value: unknown) =>
    value === null ? null : JSON.stringify(replaceIn(value, '', { replaceAddresses, replaceNames }))
  const isActor = users.some((id) => id === row.actorId)
  const { rows } = await updateErasedRow(tx, {
    actorEmail: row.actorEmail === null ? null : replaceAddresses(row.actorEmail),
    address: isActor ? null : row.address,
    detail: document(row.detail),
    before: document(row.before),
    after: document(row.after),
    row: row.id,
  })
  const { rowHash, publicKey, signature } = signErasure(seal, { rowHash: rowHashOf(rows[0]!.row), erasedAt }, key)
  await upsertErasure(tx, { row: row.id, rowHash, erasedAt, publicKey, signature })
}

type Replace = Pick<ErasedPerson, 'replaceAddresses' | 'replaceNames'>

/**
 * Fields with free text or names of persons. Names are not replaced in other fields: users choose their names, for
 * example `admin`, and must not change what the audit says about roles, amounts or other users.
 */
const NAMES_IN = new Set([
  'name',
  'displayName',
  'formatted',
  'givenName',
  'familyName',
  'reason',
  'text',
  'message',
  'answer',
])

/** Returns a copy of a document in which `replace` has been applied to every text and field name. */
function replaceIn(value: unknown, field: string, replace: Replace): unknown {
  if (typeof value === 'string') {
    const text = replace.replaceAddresses(value)
    return NAMES_IN.has(field) ? replace.replaceNames(text) : text
  }
  if (Array.isArray(value)) return value.map((each) => replaceIn(each, field, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [replace.replaceAddresses(name), replaceIn(each, name, replace)]),
  )
}
