import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectAll } from '@trainyard/modules/server.ts'
import { type Config, productVersion, type Secrets } from '@trainyard/platform/server/config/config.ts'
import { isNewer } from '@trainyard/platform/server/core/version.ts'
import { grantAppAccess } from '@trainyard/platform/server/db/app-access.ts'
import { backUp } from '@trainyard/platform/server/db/backup/back-up.ts'
import { folderStore } from '@trainyard/platform/server/db/backup/folder-store.ts'
import { check, load, requireRestorable } from '@trainyard/platform/server/db/backup/restore.ts'
import { upgradeName } from '@trainyard/platform/server/db/backup/retention.ts'
import type { BackupStore } from '@trainyard/platform/server/db/backup/store.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { compareTables, NewerDatabase, ownRelations } from '@trainyard/platform/server/db/migrate.ts'
import { explainDatabaseErrors } from '@trainyard/platform/server/db/no-database.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import {
  awaitWrites,
  dropTables,
  foreignObjects,
  grantAgain,
  otherVersions,
  presentGrants,
  queueVersion,
  readInstalled,
  revokeWrites,
  type Upgrade,
  writeInstalled,
} from '@trainyard/platform/server/db/upgrade.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { rollBackQueue } from '@trainyard/platform/server/run/jobs/job-tables.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import { backupStoreOf } from './automatic-backups.ts'
import { appOf, asOwner, createAllTables, migrateAll } from './migrate-database.ts'
import { DATABASE_URL_HINT } from './with-database.ts'
import { WrongUsage } from './wrong-usage.ts'

/** The upgrade was refused, or it was taken back. The message says which version the database has. */
class UpgradeFailed extends Error {
  override readonly name = 'UpgradeFailed'
}

class OlderDatabase extends Error {
  override readonly name = 'OlderDatabase'
}

type LogMessage = (sentence: string) => void

interface Upgrading {
  readonly config: Config
  readonly secrets: Secrets
  readonly owner: Db
  readonly logMessage: LogMessage
}

const own = productVersion()
/** Seconds in which the new processes must be up, and in which those of the old version must have ended. */
const PATIENCE_SECONDS = 120
/** Seconds for the API that the check starts itself. */
const OWN_PATIENCE_SECONDS = 15

const USAGE = 'npm run upgrade [-- prepare | finish [URL ...] | back]'

/**
 * Upgrades the database to this version (`npm run upgrade`). With `prepare` it stops before the check, so that
 * containers can be replaced; `finish` checks the APIs at the URLs and allows changes; `back` takes an upgrade back.
 * @returns a sentence to print
 */
export async function upgradeCommand(config: Config, secrets: Secrets, args: readonly string[]): Promise<string> {
  const [step, ...urls] = args
  if (step !== undefined && !['prepare', 'finish', 'back'].includes(step)) throw new WrongUsage(`Usage: ${USAGE}`)
  if (urls.length > 0 && (step !== 'finish' || !urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))))
    throw new WrongUsage(`Usage: ${USAGE}, each URL like http://api1:4000`)
  const logMessage: LogMessage = (sentence) => void process.stderr.write(`${sentence}\n`)
  return withOwnDatabase(config, logMessage, () =>
    locked(config, secrets, logMessage, async (upgrading) => {
      if (step === 'back') return rollBack(upgrading)
      if (step !== 'finish') {
        const done = await prepare(upgrading)
        if (done !== null) return done
        if (step === 'prepare') return `The tables are those of ${own}. Start it, then run: npm run upgrade -- finish`
      }
      return finish(upgrading, urls)
    }),
  )
}

/** Like `withDatabase`, but no portal may be running on the embedded database, because it would stop it. */
async function withOwnDatabase<T>(config: Config, logMessage: LogMessage, callback: () => Promise<T>): Promise<T> {
  if (config.database.kind === 'server') return explainDatabaseErrors(DATABASE_URL_HINT, callback)
  const embedded = await startEmbedded(config.dataDir, {}, 'command', logMessage)
  try {
    return await callback()
  } finally {
    await embedded.stop()
  }
}

/**
 * Prepares the database for this version: creates it, upgrades an older one, and takes back an upgrade from this version
 * that was interrupted (`npm start`).
 */
export async function prepareForStart(config: Config, secrets: Secrets, logMessage: LogMessage): Promise<void> {
  await locked(config, secrets, logMessage, async (upgrading) => {
    const { upgrade } = (await readInstalled(upgrading.owner)) ?? { upgrade: null }
    if (upgrade !== null && mayRollBack(upgrade)) logMessage(await rollBack(upgrading))
    if ((await prepare(upgrading, { isStart: true })) === null) logMessage(await finish(upgrading, []))
  })
}

/**
 * Creates the tables in an empty database that is up, and grants the app access to them (`npm run migrate`).
 * @throws OlderDatabase
 */
export async function migrateUnlessOlder(config: Config, secrets: Secrets, logMessage: LogMessage): Promise<string> {
  return locked(config, secrets, logMessage, async (upgrading) => {
    const installed = await readInstalled(upgrading.owner)
    if (installed?.upgrade && mayRollBack(installed.upgrade)) return rollBack(upgrading)
    if (installed?.upgrade?.to === own && installed.upgrade.phase === 'migrated')
      return `The upgrade to ${own} waits for its check: npm run upgrade -- finish`
    if (installed !== null && installed.upgrade !== null) throw interrupted(installed.upgrade)
    const { missing, isEmpty } = await compareTables(upgrading.owner)
    if (missing.length > 0 && !isEmpty) {
      throw new OlderDatabase(
        `The database has the tables of version ${installed?.version ?? '1.0.0'}. Upgrade it: npm run upgrade`,
      )
    }
    await migrateAll(upgrading.owner, { app: appOf(secrets) })
    return 'The database schema is up to date.'
  })
}

const LOCK = `select pg_advisory_lock(hashtext('trainyard upgrade'))`
/** Milliseconds of waiting for the lock before a message: other commands hold it for a moment. */
const WAIT_MS = 10_000

/**
 * Returns true if this program, of the old version, may take the upgrade back without being asked: it was interrupted
 * before its tables were those of the new version, which may be waiting for its check.
 */
const mayRollBack = ({ from, to, phase }: Upgrade): boolean => from === own && to !== own && phase !== 'migrated'

/** Waits for other upgrades of the database to end, and runs the callback as its owner. */
async function locked<T>(
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

const interrupted = ({ from, to }: Upgrade): UpgradeFailed =>
  new UpgradeFailed(
    `An upgrade from ${from} to ${to} was interrupted. Run npm run upgrade with version ${to} to finish it, or ` +
      `npm run upgrade -- back to take it back.`,
  )

/**
 * Stops changes, backs up and migrates. Continues an upgrade that was interrupted.
 * @returns what to print if the database needs no check; null: it was migrated
 */
async function prepare(upgrading: Upgrading, { isStart = false } = {}): Promise<string | null> {
  const { owner, secrets } = upgrading
  const installed = await readInstalled(owner)
  let upgrade = installed?.upgrade ?? null
  if (upgrade !== null && upgrade.to !== own) throw interrupted(upgrade)
  if (upgrade?.phase === 'restoring') throw new UpgradeFailed(await rollBack(upgrading))
  if (upgrade === null) {
    const { missing, isEmpty } = await compareTables(owner)
    const version = installed?.version ?? (missing.length === 0 ? own : '1.0.0')
    if (!isEmpty && isNewer(version, own) && !isStart) {
      throw new NewerDatabase(`The database is of version ${version}, which is newer than this program (${own}).`)
    }
    if (missing.length === 0 || isEmpty) {
      await migrateAll(owner, { app: appOf(secrets) })
      if (isNewer(own, version)) await writeInstalled(owner, { version: own, upgrade: null })
      return isEmpty
        ? `The tables of ${own} were created.`
        : `The database has the tables of version ${own}. Nothing had to be changed.`
    }
    const foreign = await foreignObjects(owner, ownRelations())
    if (foreign.length > 0)
      throw new UpgradeFailed(
        `The database has objects that are not the portal's and would be lost if the upgrade had to be taken back: ` +
          `${foreign.slice(0, 5).join(', ')}. Move them to another database or schema. Nothing was changed.`,
      )
    const next: Upgrade = {
      from: version,
      to: own,
      phase: 'backup',
      backup: null,
      grants: await presentGrants(owner),
      queue: await queueVersion(owner),
    }
    await owner.transaction().execute(async (tx) => {
      await writeInstalled(tx, { version, upgrade: next })
      await revokeWrites(tx)
    })
    upgrade = next
  }
  const current = upgrade
  await rollBackOnError(upgrading, async () => {
    await migrateTables(upgrading, current.phase === 'backup' ? await backUpOf(upgrading, current) : current)
  })
  return null
}

async function backUpOf({ config, secrets, owner, logMessage }: Upgrading, upgrade: Upgrade): Promise<Upgrade> {
  await awaitWrites(owner)
  logMessage('Changes are stopped.')
  const store = storeOf(config, secrets)
  // After a kill the file may be gone with its container.
  const isMade = upgrade.backup !== null && (await isWhole(store, upgrade.backup))
  if (isMade) return upgrade
  const { name, identity } = await backUp(
    () => new pg.Client({ connectionString: secrets.ownerUrl! }),
    { store, keys: secrets.keys.map(({ id }) => id), recipient: config.backups.recipient },
    upgradeName(upgrade.from, upgrade.to, new Date()),
    upgrade.from,
  )
  const backedUp: Upgrade = { ...upgrade, backup: { name, identity } }
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

async function migrateTables({ owner, secrets, logMessage }: Upgrading, upgrade: Upgrade): Promise<void> {
  const verify = async (tx: Tx) => {
    const violated = await brokenInvariants(tx, { quiet: false })
    if (violated.length > 0)
      throw new UpgradeFailed(`the data would violate ${violated.map(({ name }) => name).join(', ')}`)
    await writeInstalled(tx, { version: upgrade.from, upgrade: { ...upgrade, phase: 'migrated' } })
  }
  await migrateAll(owner, { app: appOf(secrets), verify, granted: revokeWrites })
  logMessage('Migrated; all invariants hold.')
}

/** Checks the new version and allows changes. */
async function finish(upgrading: Upgrading, urls: readonly string[]): Promise<string> {
  const { config, secrets, owner } = upgrading
  const { upgrade } = (await readInstalled(owner)) ?? { upgrade: null }
  if (upgrade === null) {
    const { missing } = await compareTables(owner)
    if (missing.length === 0) return `No upgrade is in progress. The database has the tables of version ${own}.`
    throw new UpgradeFailed(
      `No upgrade is in progress, and the database has the tables of an older version than ${own}.`,
    )
  }
  if (upgrade.to !== own || upgrade.phase !== 'migrated') throw interrupted(upgrade)
  await rollBackOnError(upgrading, async () => {
    // After a kill between tables and queues or grants, which are separate transactions.
    await migrateAll(owner, { app: appOf(secrets), granted: revokeWrites })
    await requireReadableSecrets(owner, secrets.keys, { lost: config.lostKeys, logMessage: upgrading.logMessage })
    await (urls.length === 0 ? checkOwnApi(config, secrets) : Promise.all(urls.map((url) => awaitApi(url))))
    await awaitOldProcesses(owner)
    await grantAppAccess(owner, appOf(secrets), (tx) => writeInstalled(tx, { version: own, upgrade: null }))
  })
  return `Upgraded from ${upgrade.from} to ${own}. The backup of ${upgrade.from} is ${upgrade.backup!.name}.`
}

/** Rolls the upgrade back if the work fails, unless it was finished. */
async function rollBackOnError(upgrading: Upgrading, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // The reply to a commit can be lost.
    const installed = await readInstalled(upgrading.owner).catch(() => null)
    if (installed?.version === own && installed.upgrade === null) return
    const state = await rollBack(upgrading).catch(
      (failure: Error) => `It could not be taken back (${failure.message}): run npm run upgrade -- back`,
    )
    throw new UpgradeFailed(`The upgrade to ${own} failed: ${reason}. ${state}`, { cause: error })
  }
}

/** Rolls back an upgrade that was not finished, with the program of the old or the new version. */
async function rollBack({ config, secrets, owner, logMessage }: Upgrading): Promise<string> {
  const { upgrade } = (await readInstalled(owner)) ?? { upgrade: null }
  if (upgrade === null) return 'No upgrade is in progress.'
  const { from, to, phase, backup, grants } = upgrade
  if (phase !== 'backup') {
    const store = storeOf(config, secrets)
    const keys = [...secrets.keys.map(({ id }) => id), ...config.lostKeys]
    const { name, identity } = backup!
    const steps = await requireRestorable(store, name, { keys, identity, dataDir: config.dataDir })
    // The whole file, before the tables are dropped.
    await check(store, name, identity)
    logMessage(`Restoring ${name} ...`)
    await writeInstalled(owner, { version: from, upgrade: { ...upgrade, phase: 'restoring' } })
    await dropTables(owner)
    await createAllTables(owner, steps)
    // The backup has the queue's tables of the old version.
    await rollBackQueue(owner, await queueVersion(owner), upgrade.queue)
    await load(() => new pg.Client({ connectionString: secrets.ownerUrl! }), store, name, identity)
  }
  await owner.transaction().execute(async (tx) => {
    await grantAgain(tx, grants)
    await writeInstalled(tx, { version: from, upgrade: null })
  })
  return `The database is that of ${from} again, with everything it had; start version ${from}. The upgrade to ${to} was taken back.`
}

/** Starts an API of this version on a free port and calls it. */
async function checkOwnApi(config: Config, secrets: Secrets): Promise<void> {
  const [{ buildApp }, { apiOf }, { buildServer }] = await Promise.all([
    import('../build-app.ts'),
    import('../compose.ts'),
    import('@trainyard/platform/server/http/server.ts'),
  ])
  const server = await buildServer(apiOf(buildApp(config, secrets)))
  try {
    await awaitApi(await server.listen({ host: '127.0.0.1', port: 0 }), OWN_PATIENCE_SECONDS)
  } finally {
    await server.close()
  }
}

/** Waits until the API at the address reports this version and that it can read the database. */
async function awaitApi(url: string, patience = PATIENCE_SECONDS): Promise<void> {
  let last = 'it did not answer'
  for (const end = Date.now() + patience * 1_000; Date.now() < end; await pause(500)) {
    try {
      // Without a worker that can write, the reply is 503.
      const reply = await fetch(new URL('/api/health', url), { signal: AbortSignal.timeout(5_000) })
      const { version, parts } = (await reply.json()) as { version: string; parts: { database: string } }
      if (version === own && parts.database === 'up') return
      last = `it is version ${version}, its database is ${parts.database}`
    } catch (error) {
      last = (error as Error).message
    }
  }
  throw new Error(`the API at ${url} did not become healthy within ${patience} s: ${last}`)
}

/** Processes of the old version end when they notice the new tables. */
async function awaitOldProcesses(owner: Db): Promise<void> {
  let others: string[] = []
  for (const end = Date.now() + PATIENCE_SECONDS * 1_000; Date.now() < end; await pause(500)) {
    others = await otherVersions(owner, own)
    if (others.length === 0) return
  }
  throw new Error(`processes of version ${others.join(', ')} are still connected`)
}
