import { productVersion } from '../../config/config.ts'
import type pg from 'pg'
import { readTables } from './copy-tables.ts'
import { encode, FORMAT, type Header } from './format.ts'
import { NoBackup } from './no-backup.ts'
import { BACKUP_TASK, backupName, backupsIn, expiredBackups, isAutomatic, timeIn } from './retention.ts'
import type { BackupStore } from './store.ts'
import { check, headerOf } from './restore.ts'

export interface BackupKeys {
  /** IDs of the installation's keys, which the backup names but does not contain. */
  readonly keys: readonly string[]
  /** age recipient for which the backup is encrypted; null: the backup is not encrypted. */
  readonly recipient: string | null
}

export interface BackupPlan extends BackupKeys {
  readonly store: BackupStore
  /** Number of days whose last backup is retained; 0: no automatic backups. */
  readonly keep: number
}

export interface Made {
  readonly name: string
  readonly header: Header
  readonly bytes: number
  readonly rows: number
  /** age key of this one backup, which only this process has; null: the backup is not encrypted. */
  readonly identity: string | null
}

/** ID of the advisory lock of backups. */
const LOCK = 7_246_881_002

const DAY_MS = 24 * 3600_000

/**
 * Writes a backup of all tables and reads it back. An encrypted backup can also be read with a key that only this
 * process has.
 * @param connect opens a connection that may read all tables
 * @param version of the program that the tables belong to
 * @throws NoBackup if the file exists or cannot be written, if another backup is in progress, or if another portal uses
 * the place
 */
export async function backUp(
  connect: () => pg.Client,
  { store, keys, recipient }: BackupKeys & { readonly store: BackupStore },
  name = backupName(new Date()),
  version = productVersion(),
): Promise<Made> {
  const client = connect()
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows: locks } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK])
    if (!locks[0]!.held) throw new NoBackup('Another backup is in progress. Try again when it has ended.')
    const portal = await portalOf(client)
    if (isAutomatic(name)) await refuseOtherPortals(store, portal)
    await store.removeUnfinished()
    const identity = recipient === null ? null : await newIdentity()
    const { until, tables, parts } = await readTables(client)
    const header: Header = {
      format: FORMAT,
      version,
      portal,
      until: until.toISOString(),
      keys,
      encryptedFor: recipient,
      tables,
    }
    const recipients = recipient === null ? [] : [recipient, await recipientOf(identity!)]
    const counted = counting(encode(header, parts, recipients))
    await store.write(name, counted.source)
    const { rows } = await check(store, name, identity).catch(async (error: unknown) => {
      await store.remove(name).catch(() => undefined)
      throw error
    })
    return { name, header, bytes: counted.bytes(), rows, identity }
  } finally {
    await client.end()
  }
}

/** Makes a backup if the last one is a day old, or if there is none and the database is a day old. */
export async function backUpDaily(connect: () => pg.Client, plan: BackupPlan, now: Date): Promise<void> {
  // The clock of another worker may have been ahead.
  const last = (await backupsIn(plan.store)).findLast((name) => timeIn(name)! <= now)
  const { createdAt, portal } = await originOf(connect)
  await refuseOtherPortals(plan.store, portal)
  const since = last === undefined ? createdAt : timeIn(last)!
  if (now.getTime() - since.getTime() < DAY_MS) return
  await backUp(connect, plan, backupName(now))
  await removeExpired(plan)
}

export async function removeExpired({ store, keep }: BackupPlan): Promise<void> {
  for (const name of expiredBackups(await store.list(), keep)) await store.remove(name)
}

async function originOf(connect: () => pg.Client): Promise<{ createdAt: Date; portal: string | null }> {
  const client = connect()
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ at: Date }>('select min(applied_at) as at from applied_area')
    return { createdAt: rows[0]!.at, portal: await portalOf(client) }
  } finally {
    await client.end()
  }
}

/** Returns the ID of the task of backups, which is random and is restored with the rest. */
async function portalOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>('select id from task where name = $1', [BACKUP_TASK])
  return rows[0]?.id ?? null
}

/** @throws NoBackup if another portal uses the place */
export async function requireOwnPlace(connect: () => pg.Client, store: BackupStore): Promise<void> {
  const client = connect()
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseOtherPortals(store, await portalOf(client))
  } finally {
    await client.end()
  }
}

/**
 * @throws NoBackup if the last automatic backup that can be read is of another portal, whose backups this one would
 * delete
 */
async function refuseOtherPortals(store: BackupStore, portal: string | null): Promise<void> {
  if (portal === null) return
  for (const name of (await backupsIn(store)).toReversed()) {
    const other = await portalIn(store, name)
    if (other === undefined) continue
    if (other === null || other === portal) return
    throw new NoBackup(
      `${store.place} has backups of another portal, such as ${name}. Use a folder or prefix of its own for each portal.`,
    )
  }
}

/** Returns the portal that the header names; undefined for a damaged file. */
const portalIn = (store: BackupStore, name: string): Promise<string | null | undefined> =>
  headerOf(store, name).then(
    ({ portal }) => portal,
    (error: unknown) => {
      if (error instanceof NoBackup) return undefined
      throw error
    },
  )

async function newIdentity(): Promise<string> {
  const { generateX25519Identity } = await import('age-encryption')
  return generateX25519Identity()
}

async function recipientOf(identity: string): Promise<string> {
  const { identityToRecipient } = await import('age-encryption')
  return identityToRecipient(identity)
}

function counting(source: AsyncIterable<Buffer>) {
  let bytes = 0
  return {
    bytes: () => bytes,
    source: (async function* () {
      for await (const piece of source) {
        bytes += piece.length
        yield piece
      }
    })(),
  }
}
