import { setTimeout as pause } from 'node:timers/promises'
import { gt } from 'semver'
import { productVersion } from '../../config/config.ts'
import { poolOf } from '../client.ts'
import { tableDigests } from '../migrate.ts'
import type { Db } from '../schema.ts'
import { writeTables } from './copy-tables.ts'
import { decode, FORMAT, type Header, type Opened } from './format.ts'
import { NoBackup, reasonOf } from './no-backup.ts'
import type { BackupStore } from './store.ts'

export interface Checked {
  readonly header: Header
  readonly tables: number
  readonly rows: number
}

/** Milliseconds in which a connection must answer after an error. */
const ROLLBACK_MS = 10_000

/** Bytes that contain the header of most backups. */
const HEADER_BYTES = 1 << 16

/** Returns the header of a backup, without reading the rest. @throws NoBackup */
export async function headerOf(store: BackupStore, name: string): Promise<Header> {
  const source = await store.read(name, HEADER_BYTES)
  try {
    return (await decode(name, source)).header
  } finally {
    source.destroy()
  }
}

/** Reads a whole backup and compares it with its hash. @throws NoBackup */
export async function check(store: BackupStore, name: string, identity: string | null): Promise<Checked> {
  const { header, parts } = await opened(store, name)
  let tables = 0
  let rows = 0
  for await (const part of parts(identity)) {
    if (part.kind === 'table') tables += 1
    if (part.kind === 'end') rows = part.end.rows
  }
  return { header, tables, rows }
}

/**
 * Checks that this program can restore the backup, of its own or an older version, without reading more than its first
 * line.
 * @param keys IDs of the configured keys, and of the keys that the operator has declared lost
 * @returns names of the files that made its tables
 * @throws NoBackup
 */
export async function requireRestorable(
  store: BackupStore,
  name: string,
  {
    keys,
    identity,
    dataDir,
  }: { readonly keys: readonly string[]; readonly identity: string | null; readonly dataDir: string },
): Promise<readonly string[]> {
  const { header } = await opened(store, name)
  const own = productVersion()
  if (header.format > FORMAT || gt(header.version, own)) {
    throw new NoBackup(
      `${name} is of version ${header.version}, which is newer than this program (${own}). Restore it with that version.`,
    )
  }
  const tables = tableDigests()
  const steps = Object.keys(header.tables)
  const different = steps.filter((each) => tables[each] !== header.tables[each])
  if (different.length > 0) {
    throw new NoBackup(
      `${name} has other tables of ${different.join(', ')} than this program. Restore it with the version that made it (${header.version}).`,
    )
  }
  if (header.encryptedFor !== null && identity === null) {
    throw new NoBackup(
      `${name} is encrypted for ${header.encryptedFor}. Name the file with its key: npm run restore -- ${name} --identity FILE`,
    )
  }
  const needed = header.keys
  if (needed.length > 0 && !needed.some((id) => keys.includes(id))) {
    throw new NoBackup(
      `${name} needs the key ${needed.join(' or ')}, which is not configured (${keys.join(', ')}). Copy the ` +
        `secret.key of that installation into ${dataDir}, or set SECRET_KEYS. If the key is lost, set ` +
        `LOST_KEYS=${needed.join(',')}.`,
    )
  }
  return steps
}

/**
 * Replaces the content of all tables in one transaction, on a connection of the pool. The database has the tables of the
 * backup.
 * @throws NoBackup
 */
export async function load(owner: Db, store: BackupStore, name: string, identity: string | null): Promise<void> {
  const { parts } = await opened(store, name)
  const client = await poolOf(owner)!.connect()
  try {
    await writeTables(client, parts(identity))
    client.release()
  } catch (error) {
    // The connection may hold the lock of an upgrade, and is kept if it still answers.
    const isUsable = client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!(await Promise.race([isUsable, pause(ROLLBACK_MS, false, { ref: false })])))
    if (error instanceof NoBackup) throw error
    throw new NoBackup(`${name} cannot be restored: ${reasonOf(error)}.`, { cause: error })
  }
}

async function opened(store: BackupStore, name: string): Promise<Opened> {
  try {
    return await decode(name, await store.read(name))
  } catch (error) {
    if (error instanceof NoBackup) throw error
    throw new NoBackup(`${name} cannot be read from ${store.place}: ${(error as Error).message}`, { cause: error })
  }
}
