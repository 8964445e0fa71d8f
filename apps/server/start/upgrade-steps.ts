import { join } from 'node:path'
import pg from 'pg'
import { connectAll } from '@trainyard/modules/server.ts'
import { type Config, productVersion, type Secrets } from '@trainyard/platform/server/config/config.ts'
import { backUp } from '@trainyard/platform/server/db/backup/back-up.ts'
import { folderStore } from '@trainyard/platform/server/db/backup/folder-store.ts'
import { check, load, requireRestorable } from '@trainyard/platform/server/db/backup/restore.ts'
import { upgradeName } from '@trainyard/platform/server/db/backup/retention.ts'
import type { BackupStore } from '@trainyard/platform/server/db/backup/store.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import {
  awaitWrites,
  dropTables,
  grantAgain,
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

const LOCK = `select pg_advisory_lock(hashtext('trainyard upgrade'))`
/** Milliseconds of waiting for the lock before a message: other commands hold it for a moment. */
const WAIT_MS = 10_000

/** Waits for other upgrades of the database to end, and runs the callback as its owner. */
export async function locked<T>(
  config: Config,
  secrets: Secrets,
  logMessage: LogMessage,
  callback: (upgrading: Upgrading) => Promise<T>,
): Promise<T> {
  connectAll()
  return asOwner(secrets, async (owner) => {
    const lock = new pg.Client({ connectionString: secrets.ownerUrl!, keepAlive: true })
    const lost = new Promise<never>((_, reject) => lock.on('error', reject))
    lost.catch(() => undefined)
    await lock.connect()
    try {
      const waiting = setTimeout(
        () => logMessage('Another process prepares or upgrades the database; waiting for it.'),
        WAIT_MS,
      )
      await lock.query(LOCK).finally(() => clearTimeout(waiting))
      // Without the lock another process could change the tables: this one must end.
      return await Promise.race([callback({ config, secrets, owner, logMessage }), lost])
    } finally {
      await lock.end()
    }
  })
}

export const interrupted = ({ from, to, move }: Upgrade): UpgradeFailed =>
  new UpgradeFailed(
    move?.role === 'from'
      ? `A move of the database to ${move.other} was interrupted. Run npm run upgrade -- --to ${move.other} with ` +
          `version ${to} to finish it, or npm run upgrade -- back to take it back.`
      : `An upgrade from ${from} to ${to} was interrupted. Run npm run upgrade with version ${to} to finish it, or ` +
          `npm run upgrade -- back to take it back.`,
  )

/** Records an upgrade to this version, and stops changes in the same transaction. */
export async function begin(owner: Db, from: string, move: Upgrade['move']): Promise<Upgrade> {
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
  await load(() => new pg.Client({ connectionString: secrets.ownerUrl! }), store, name, identity)
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

/** Rolls back an upgrade that was not finished, with the program of the old or the new version. */
export async function rollBack(upgrading: Upgrading): Promise<string> {
  const { owner } = upgrading
  const { upgrade } = (await readInstalled(owner)) ?? { upgrade: null }
  if (upgrade === null) return 'No upgrade is in progress.'
  const { from, to, phase, grants, move } = upgrade
  if (move?.role === 'to') {
    await discard(owner)
    return `This database is empty again. The one it was to replace, ${move.other}, is unchanged: with its DATABASE_URL, npm run upgrade -- back allows changes there.`
  }
  if (phase === 'migrated' || phase === 'restoring') {
    await restoreBackupOf(upgrading, upgrade, async () => {
      await writeInstalled(owner, { version: from, upgrade: { ...upgrade, phase: 'restoring' } })
      await dropTables(owner)
    })
  }
  await owner.transaction().execute(async (tx) => {
    await grantAgain(tx, grants)
    await writeInstalled(tx, { version: from, upgrade: null })
  })
  if (move !== null)
    return `The database accepts changes again; start version ${from}. It was not moved to ${move.other}${phase === 'moved' ? ', or it lacks what was changed there since' : ''}.`
  return `The database is that of ${from} again, with everything it had; start version ${from}. The upgrade to ${to} was taken back.`
}
