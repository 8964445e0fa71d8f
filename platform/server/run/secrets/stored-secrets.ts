import { sql } from 'kysely'
import { counted } from '../../../contract/words/counted.ts'
import { connectedModules } from '../../core/events.ts'
import type { StoredSecret } from '../../core/tables.ts'
import type { Db } from '../../db/schema.ts'
import { makeSeal, type SealKey, type SealKeys, UnreadableSecret } from './seal.ts'
import { UnusableKey } from './key-file.ts'

/** Returns every column that stores encrypted secrets. */
export const storedSecrets = (): readonly StoredSecret[] =>
  connectedModules().flatMap(({ tables }) => tables?.sealed ?? [])

const contextOf = ({ context }: StoredSecret, key: string): string => context?.(key) ?? key

/** Maximum number of secrets that are decrypted per column and key. */
const SAMPLE = 20

/** Counts of the stored secrets that one key encrypted. */
export interface SecretsOfKey {
  readonly keyId: string
  readonly stored: number
  /** Number of secrets that were tried, at most 20 per table, and how many of them were decrypted. */
  readonly tried: number
  readonly opened: number
}

/** Counts the stored secrets per key, and tries to decrypt some of each. */
export async function checkStoredSecrets(db: Db, keys: SealKeys): Promise<readonly SecretsOfKey[]> {
  const { open } = makeSeal(keys)
  const found = new Map<string, SecretsOfKey>()
  for (const secret of storedSecrets()) {
    for (const group of await groupsOf(db, secret)) {
      const before = found.get(group.keyId) ?? { keyId: group.keyId, stored: 0, tried: 0, opened: 0 }
      const opened = group.sample.filter(({ key, sealed }) => isReadable(() => open(sealed, contextOf(secret, key))))
      found.set(group.keyId, {
        ...before,
        stored: before.stored + group.stored,
        tried: before.tried + group.sample.length,
        opened: before.opened + opened.length,
      })
    }
  }
  return [...found.values()].toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))
}

/** SQL of the ID of the key that encrypted the secret in a column. */
const keyIdIn = (column: string) =>
  sql<string>`encode(substring(${sql.ref(column)} from 2 for get_byte(${sql.ref(column)}, 0)), 'escape')`

interface Group {
  readonly keyId: string
  readonly stored: number
  readonly sample: readonly { readonly key: string; readonly sealed: Buffer }[]
}

async function groupsOf(db: Db, { table, column, key }: StoredSecret): Promise<readonly Group[]> {
  const sealed = sql.ref(column)
  const keyId = keyIdIn(column)
  const { rows } = await sql<{ key_id: string; stored: number; key: string; sealed: Buffer }>`
    select key_id, stored, key, sealed from (
      select ${keyId} as key_id, ${sql.ref(key)}::text as key, ${sealed} as sealed,
        count(*) over (partition by ${keyId}) as stored, row_number() over (partition by ${keyId}) as place
      from ${sql.table(table)} where length(${sealed}) > 0) as secrets
    where place <= ${SAMPLE}`.execute(db)
  const groups = new Map<string, { keyId: string; stored: number; sample: { key: string; sealed: Buffer }[] }>()
  for (const row of rows) {
    const group = groups.get(row.key_id) ?? { keyId: row.key_id, stored: row.stored, sample: [] }
    group.sample.push({ key: row.key, sealed: row.sealed })
    groups.set(row.key_id, group)
  }
  return [...groups.values()]
}

function isReadable(read: () => string): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

export interface KeyLoss {
  /** IDs of keys that the operator has declared lost (LOST_KEYS). */
  readonly lost: readonly string[]
  /** Receives a warning if some secrets cannot be decrypted. */
  readonly logMessage: (sentence: string) => void
}

/**
 * Checks that the configured keys decrypt the stored secrets.
 * @throws UnusableKey if they decrypt none, and the operator has not declared the missing keys lost
 */
export async function requireReadableSecrets(db: Db, keys: SealKeys, { lost, logMessage }: KeyLoss): Promise<void> {
  const found = await checkStoredSecrets(db, keys)
  const missing = found.filter(({ tried, opened }) => opened < tried)
  if (missing.length === 0) return
  const isExpected = missing.every(({ keyId }) => lost.includes(keyId))
  if (!isExpected && found.every(({ opened }) => opened === 0)) throw new UnusableKey(noneReadable(found, keys))
  logMessage(someUnreadable(missing))
}

/** Returns the message for the operator if no stored secret can be decrypted. */
export function noneReadable(found: readonly SecretsOfKey[], keys: readonly SealKey[]): string {
  const count = found.reduce((sum, { stored }) => sum + stored, 0)
  const ids = found.map(({ keyId }) => keyId)
  return (
    `The configured ${namesOf(keys.map(({ id }) => id))} ${keys.length === 1 ? 'decrypts' : 'decrypt'} none of the ` +
    `${counted(count, 'stored secret')}, which ${count === 1 ? 'needs' : 'need'} the ${namesOf(ids)}. Add the contents of the former secret.key to the file ` +
    `secret.key in the data folder, or to SECRET_KEYS. If it is lost, set LOST_KEYS=${ids.join(',')}: the portal then ` +
    'starts, and each machine needs a reset to get a new password.'
  )
}

/** Returns the message for the operator if some stored secrets cannot be decrypted. */
export function someUnreadable(missing: readonly SecretsOfKey[]): string {
  const count = missing.reduce((sum, { stored }) => sum + stored, 0)
  return (
    `${count === 1 ? 'One stored secret cannot be decrypted: it needs' : `Some of ${count} stored secrets cannot be decrypted: they need`} the ${namesOf(missing.map(({ keyId }) => keyId))}. ` +
    'Add the former key to secret.key or SECRET_KEYS, or reset the machines.'
  )
}

const namesOf = (ids: readonly string[]): string => `${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}`

const BATCH = 200

export interface Reencrypted {
  readonly changed: number
  /** Number of secrets that no key decrypts. They are not changed. */
  readonly unreadable: number
}

/** Encrypts each stored secret that another key encrypted again with the first key. */
export async function reencryptSecrets(db: Db, keys: SealKeys): Promise<Reencrypted> {
  let changed = 0
  let unreadable = 0
  for (const secret of storedSecrets()) {
    let after = ''
    for (
      let rows = await batchOf(db, secret, keys, after);
      rows.length > 0;
      rows = await batchOf(db, secret, keys, after)
    ) {
      for (const { key, sealed } of rows) {
        if (await reencrypt(db, secret, keys, key, sealed)) changed += 1
        else unreadable += 1
      }
      after = rows.at(-1)!.key
    }
  }
  return { changed, unreadable }
}

async function batchOf(db: Db, { table, column, key }: StoredSecret, [{ id }]: SealKeys, after: string) {
  const { rows } = await sql<{ key: string; sealed: Buffer }>`
    select ${sql.ref(key)}::text as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where length(${sql.ref(column)}) > 0 and ${keyIdIn(column)} <> ${id} and ${sql.ref(key)}::text > ${after}
    order by 1 limit ${BATCH}`.execute(db)
  return rows
}

/**
 * Encrypts one secret again. Returns false if no key decrypts it. Does not change a secret that was replaced in the
 * meantime.
 */
async function reencrypt(db: Db, secret: StoredSecret, keys: SealKeys, key: string, sealed: Buffer): Promise<boolean> {
  const { open, seal } = makeSeal(keys)
  const context = contextOf(secret, key)
  try {
    const rotated = seal(open(sealed, context), context)
    await sql`update ${sql.table(secret.table)} set ${sql.ref(secret.column)} = ${rotated}
      where ${sql.ref(secret.key)}::text = ${key} and ${sql.ref(secret.column)} = ${sealed}`.execute(db)
    return true
  } catch (error) {
    if (error instanceof UnreadableSecret) return false
    throw error
  }
}
