import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { connectAll } from '@trainyard/modules/server.ts'
import { type Config, productVersion, type Secrets } from '@trainyard/platform/server/config/config.ts'
import { backUp, requireOwnPlace } from '@trainyard/platform/server/db/backup/back-up.ts'
import { folderStore } from '@trainyard/platform/server/db/backup/folder-store.ts'
import { check, load, requireRestorable } from '@trainyard/platform/server/db/backup/restore.ts'
import { upgradeName } from '@trainyard/platform/server/db/backup/retention.ts'
import type { BackupStore } from '@trainyard/platform/server/db/backup/store.ts'
import { NoDatabase } from '@trainyard/platform/server/db/no-database.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import {
  awaitWrites,
  dropTables,
  grantAgain,
  hasTables,
  otherVersions,
  presentGrants,
  queueVersion,
  readInstalled,
  revokeWrites,
  type Upgrade,
  writeInstalled,
} from '@trainyard/platform/server/db/upgrade.ts'
import { rollBackQueue } from '@trainyard/platform/server/run/jobs/job-tables.ts'
import { backupStoreOf } from './automatic-backups.ts'
import { asOwner, createAllTables } from './migrate-database.ts'

/** The upgrade was refused, or it was taken back. The message says which version the database has. */
export class UpgradeFailed extends Error {
  override readonly name = 'UpgradeFailed'
}

export type LogMessage = (sentence: string) => void

export interface Upgrading {
  readonly config: Config
  readonly secrets: Secrets
  readonly owner: Db
  readonly logMessage: LogMessage
}

/** Milliseconds of waiting for the lock before a message: other commands hold it for a moment. */
const WAIT_MS = 10_000

/**
 * Waits for other upgrades of the database to end, and runs the callback as its owner. All changes are on the connection
 * that holds the lock: if that is lost, another upgrade can begin, and this one cannot continue.
 * @param checkFirst is called before the lock is awaited
 */
export async function locked<T>(
  config: Config,
  secrets: Secrets,
  logMessage: LogMessage,
  callback: (upgrading: Upgrading) => Promise<T>,
  checkFirst: (owner: Db) => Promise<void> = async () => undefined,
): Promise<T> {
  connectAll()
  let connections = 0
  const verify = async () => {
    connections += 1
    if (connections > 1) throw new NoDatabase('the connection that locked the database was lost')
  }
  const work = async (owner: Db) => {
    await checkFirst(owner)
    const waiting = setTimeout(
      () => logMessage('Another process prepares or upgrades the database; waiting for it.'),
      WAIT_MS,
    )
    await sql`select pg_advisory_lock(hashtext('trainyard upgrade'))`
      .execute(owner)
      .finally(() => clearTimeout(waiting))
    return callback({ config, secrets, owner, logMessage })
  }
  return asOwner(secrets, work, { verify, lasting: true })
}

export const interrupted = ({ from, to, move }: Upgrade): UpgradeFailed =>
  new UpgradeFailed(
    move?.role === 'from'
      ? `A move of the database to ${move.other} was interrupted. Run npm run upgrade -- --to ${move.other} with ` +
          `version ${to} to finish it, or npm run upgrade -- back to take it back.`
      : move?.role === 'to'
        ? `A move from ${move.other} to this database was interrupted or taken back. Name that one in DATABASE_URL. To ` +
          'empty this one: npm run upgrade -- back'
        : `An upgrade from ${from} to ${to} was interrupted. Run npm run upgrade with version ${to} to finish it, or ` +
          `npm run upgrade -- back to take it back.`,
  )

/** Records an upgrade to this version, and stops changes in the same transaction. */
export async function begin(
  { config, secrets, owner }: Upgrading,
  from: string,
  move: Upgrade['move'],
): Promise<Upgrade> {
  await requireOwnPlace(() => new pg.Client({ connectionString: secrets.ownerUrl! }), storeOf(config, secrets))
  const upgrade: Upgrade = {
    from,
    to: productVersion(),
    phase: 'backup',
    backup: null,
    grants: await presentGrants(owner),
    queue: await queueVersion(owner),
    move,
  }
  await owner.transaction().execute(async (tx) => {
    await writeInstalled(tx, { version: from, upgrade })
    await revokeWrites(tx)
  })
  return upgrade
}

export async function backUpOf(
  { config, secrets, owner, logMessage }: Upgrading,
  upgrade: Upgrade,
): Promise<Upgrade & { readonly backup: NonNullable<Upgrade['backup']> }> {
  await awaitWrites(owner)
  logMessage('Changes are stopped.')
  const store = storeOf(config, secrets)
  const { backup: made } = upgrade
  // After a kill the file may be gone with its container.
  if (made !== null && (await isWhole(store, made))) return { ...upgrade, backup: made }
  const { name, identity } = await backUp(
    () => new pg.Client({ connectionString: secrets.ownerUrl! }),
    { store, keys: secrets.keys.map(({ id }) => id), recipient: config.backups.recipient },
    upgradeName(upgrade.from, upgrade.move === null ? upgrade.to : 'move', new Date()),
    upgrade.from,
  )
  const backedUp = { ...upgrade, backup: { name, identity } }
  await writeInstalled(owner, { version: upgrade.from, upgrade: backedUp })
  logMessage(`Backed up to ${store.place}/${name}.`)
  return backedUp
}

const isWhole = (store: BackupStore, { name, identity }: NonNullable<Upgrade['backup']>): Promise<boolean> =>
  check(store, name, identity).then(
    () => true,
    () => false,
  )

const storeOf = (config: Config, secrets: Secrets): BackupStore =>
  backupStoreOf(config, secrets) ?? folderStore(join(config.dataDir, 'backups'))

/** Creates the tables that the upgrade's backup has, in an empty database, and fills them. */
export async function restoreBackupOf(
  { config, secrets, owner, logMessage }: Upgrading,
  { backup, queue }: Upgrade,
  empty: () => Promise<void>,
): Promise<void> {
  const store = storeOf(config, secrets)
  const keys = [...secrets.keys.map(({ id }) => id), ...config.lostKeys]
  const { name, identity } = backup!
  const steps = await requireRestorable(store, name, { keys, identity, dataDir: config.dataDir })
  // The whole file, before the tables are dropped.
  await check(store, name, identity)
  logMessage(`Restoring ${name} ...`)
  await empty()
  await createAllTables(owner, steps)
  // The backup has the queue's tables of the old version.
  await rollBackQueue(owner, await queueVersion(owner), queue)
  await load(owner, store, name, identity)
}

/**
 * Empties the new database of a move that was not finished, so that no program takes it for a new one.
 * @returns null for other databases
 */
export async function discard(owner: Db): Promise<Upgrade | null> {
  const { upgrade } = (await readInstalled(owner)) ?? { upgrade: null }
  if (upgrade?.move?.role !== 'to') return null
  await writeInstalled(owner, { version: upgrade.from, upgrade: { ...upgrade, phase: 'restoring' } })
  await dropTables(owner)
  return upgrade
}

/**
 * Rolls back an upgrade that was not finished, with the program of the old or the new version.
 * @param options.isAsked the operator asked for it
 * @param options.isClosedThere the database to which this one was moved is empty, or the operator gives it up
 */
export async function rollBack(upgrading: Upgrading, { isClosedThere = false, isAsked = false } = {}): Promise<string> {
  const { owner } = upgrading
  const { upgrade } = (await readInstalled(owner)) ?? { upgrade: null }
  if (upgrade === null)
    return 'No upgrade is in progress. Nothing was changed. To undo a finished one, restore its backup.'
  const { from, to, phase, grants, move } = upgrade
  if (move?.role === 'to') {
    if (isAsked && !(await hasTables(owner))) {
      await sql`drop schema installation cascade`.execute(owner)
      return 'This database is empty, and may be used for another portal.'
    }
    await discard(owner)
    return `This database is empty again. The one it was to replace, ${move.other}, is unchanged: with its DATABASE_URL, npm run upgrade -- back --to DATABASE_URL allows changes there, with the URL of this one.`
  }
  // Its copy could be opened as well, and each would have changes that the other lacks.
  if (phase === 'moved' && !isClosedThere)
    throw new UpgradeFailed(
      `The database was moved to ${move!.other}. To empty that one and use this one again: npm run upgrade -- back --to DATABASE_URL, with its URL. If that one is lost, or its changes may be lost: npm run upgrade -- back --abandon`,
    )
  if (phase === 'migrated' || phase === 'restoring') {
    await restoreBackupOf(upgrading, upgrade, async () => {
      await writeInstalled(owner, { version: from, upgrade: { ...upgrade, phase: 'restoring' } })
      await dropTables(owner)
    })
    // Processes of the new version end when they read which tables there are.
    await owner.transaction().execute(async (tx) => {
      await grantAgain(tx, grants)
      await revokeWrites(tx)
    })
    await awaitOthers(owner, from)
  }
  await owner.transaction().execute(async (tx) => {
    await grantAgain(tx, grants)
    await writeInstalled(tx, { version: from, upgrade: null })
  })
  if (move !== null)
    return `The database accepts changes again; start version ${from}. It was not moved to ${move.other}.`
  return `The database is that of ${from} again, with everything it had; start version ${from}. The upgrade to ${to} was taken back.`
}

/** Seconds in which the new processes must be up, and in which those of another version must have ended. */
export const PATIENCE_SECONDS = 120

/** Waits until no API or worker of another version is connected. */
export async function awaitOthers(owner: Db, version: string): Promise<void> {
  let others: string[] = []
  for (const end = Date.now() + PATIENCE_SECONDS * 1_000; Date.now() < end; await pause(500)) {
    others = await otherVersions(owner, version)
    if (others.length === 0) return
  }
  throw new UpgradeFailed(`processes of version ${others.join(', ')} are still connected`)
}
