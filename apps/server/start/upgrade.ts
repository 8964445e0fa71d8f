import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gt } from 'semver'
import { type Config, productVersion, type Secrets } from '@trainyard/platform/server/config/config.ts'
import { grantAppAccess } from '@trainyard/platform/server/db/app-access.ts'
import { endProcessesIn } from '@trainyard/platform/server/db/embedded/cluster.ts'
import {
  keptName,
  olderMajor,
  replaceCluster,
  withPrograms,
} from '@trainyard/platform/server/db/embedded/other-major.ts'
import { embeddedPlace, nextOf } from '@trainyard/platform/server/db/embedded/place.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { compareTables, NewerDatabase, ownRelations } from '@trainyard/platform/server/db/migrate.ts'
import { explainDatabaseErrors } from '@trainyard/platform/server/db/no-database.ts'
import { loginIn } from '@trainyard/platform/server/db/roles.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import {
  foreignObjects,
  readInstalled,
  revokeWrites,
  type Upgrade,
  writeInstalled,
} from '@trainyard/platform/server/db/upgrade.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import { appOf, migrateAll } from './migrate-database.ts'
import {
  abandonMove,
  addressOf,
  loginsAt,
  moveDatabase,
  requireInvariants,
  requireOther,
  takeMoveBack,
  takenBack,
} from './move-database.ts'
import {
  awaitOthers,
  backUpOf,
  begin,
  interrupted,
  locked,
  type LogMessage,
  PATIENCE_SECONDS,
  rollBack,
  UpgradeFailed,
  type Upgrading,
} from './upgrade-steps.ts'
import { DATABASE_URL_HINT } from './with-database.ts'
import { WrongUsage } from './wrong-usage.ts'

class OlderDatabase extends Error {
  override readonly name = 'OlderDatabase'
}

const own = productVersion()
/** Seconds for the API that the check starts itself. */
const OWN_PATIENCE_SECONDS = 15

const USAGE = 'npm run upgrade [-- [prepare | back] [--to [URL]] | back --abandon | finish [URL ...]]'

interface Arguments {
  readonly step: 'all' | 'prepare' | 'finish' | 'back'
  /** Connection string of the database to move to; null: the upgrade is in place. */
  readonly to: string | null
  /** Opens a database that was moved, whatever became of the other one. */
  readonly abandons: boolean
  /** Addresses of the APIs to check. */
  readonly urls: readonly string[]
}

const moveToUrl = (): string | null => process.env['MOVE_TO_URL'] || null

function parse(given: readonly string[]): Arguments {
  // Other users of the host can read arguments, but not the environment.
  const args = given.at(-1) === '--to' ? [...given, moveToUrl() ?? ''] : given
  if (given.some((each) => /^(?:--to=)?postgres/.test(each) && loginIn(each.replace('--to=', '')).password !== null))
    throw new WrongUsage('Other users can read a password in --to. Set MOVE_TO_URL to the URL, and give --to alone.')
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { to: { type: 'string' }, abandon: { type: 'boolean' } },
    })
    const [step = 'all', ...urls] = positionals
    const { to = null, abandon: abandons = false } = values
    if (
      (step === 'all' || step === 'prepare' || step === 'finish' || step === 'back') &&
      (step === 'finish' ? to === null : urls.length === 0) &&
      (!abandons || (step === 'back' && to === null)) &&
      urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? '')) &&
      (to === null || /^postgres(?:ql)?:$/.test(URL.parse(to)?.protocol ?? ''))
    )
      return { step, to, abandons, urls }
  } catch {
    // Unknown options.
  }
  throw new WrongUsage(`Usage: ${USAGE}, each URL like http://api1:4000. MOVE_TO_URL is the default of --to.`)
}

/**
 * Upgrades the database to this version (`npm run upgrade`). With `prepare` it stops before the check, so that
 * containers can be replaced; `finish` checks the APIs at the URLs and allows changes; `back` takes an upgrade back.
 * With `--to` the upgraded database is another one, for example of a later PostgreSQL.
 * @returns a sentence to print
 */
export async function upgradeCommand(config: Config, secrets: Secrets, args: readonly string[]): Promise<string> {
  const { step, to, abandons, urls } = parse(args)
  const logMessage: LogMessage = (sentence) => void process.stderr.write(`${sentence}\n`)
  return withOwnDatabase(config, logMessage, (older) =>
    locked(config, secrets, logMessage, async (upgrading) => {
      if (to !== null) return upgradeTo(upgrading, to, step)
      if (step === 'back')
        return abandons ? abandonMove(upgrading, moveToUrl()) : rollBack(upgrading, { isAsked: true })
      if (older !== null) return upgradeCluster(upgrading, older)
      if (step !== 'finish') {
        const done = await prepare(upgrading)
        if (done !== null) return done
        if (step === 'prepare') return `The tables are those of ${own}. Start it, then run: npm run upgrade -- finish`
      }
      return finish(upgrading, urls)
    }),
  )
}

/** Upgrades the embedded database into a cluster of the PostgreSQL of this version, which then replaces it. */
async function upgradeCluster(source: Upgrading, { replaceAtEnd }: OlderCluster): Promise<string> {
  const { config, secrets, logMessage } = source
  const place = embeddedPlace(config.dataDir)
  const draftDir = join(place.home, 'upgrading')
  const draft = embeddedPlace(draftDir)
  const kept = keptName(place.cluster)
  const remove = async () => {
    // A process that was killed leaves its database running.
    await endProcessesIn(draft.cluster)
    rmSync(draftDir, { recursive: true, force: true })
  }
  await remove()
  rmSync(nextOf(place.cluster), { recursive: true, force: true })
  try {
    const server = await startEmbedded(draftDir, {}, 'command', logMessage)
    try {
      await locked(config, loginsAt(draft.url, secrets), logMessage, async (target) => {
        await moveDatabase(source, target, { mark: false })
        await finish(target, [], source)
      })
    } finally {
      await server.stop()
    }
    renameSync(draft.cluster, nextOf(place.cluster))
    replaceAtEnd()
  } finally {
    await remove()
  }
  return `Upgraded to ${own} and its PostgreSQL: start it. The old database stays in ${kept}; delete it when you no longer need it.`
}

/** Upgrades into another database. */
async function upgradeTo(source: Upgrading, url: string, step: Arguments['step']): Promise<string> {
  const { config, secrets, logMessage } = source
  const logins = loginsAt(url, secrets)
  const to = addressOf(logins.ownerUrl!)
  return explainDatabaseErrors('Start the database server of --to or correct the URL.', () =>
    locked(
      config,
      logins,
      logMessage,
      async (target) => {
        if (step === 'back') return takeMoveBack(source, target)
        const done = await moveDatabase(source, target)
        if (done !== null) return done
        const settings = 'DATABASE_URL (and DATABASE_APP_URL, if set)'
        if (step === 'prepare')
          return `${to} has the tables of ${own}. Name it in ${settings}, start API and workers, then run: npm run upgrade -- finish`
        await finish(target, [], source)
        return (
          `Moved to ${to}. Name it in ${settings} and start API and workers of ${own}. The old database stays as it is and ` +
          'accepts no changes; npm run upgrade -- back --abandon allows them again.'
        )
      },
      (target) => requireOther(source.owner, target),
    ),
  )
}

interface OlderCluster {
  /** Replaces the cluster by the next one when its server has ended, before another program can use it. */
  replaceAtEnd(): void
}

/**
 * Like `withDatabase`, but no portal may be running on the embedded database, because it would stop it.
 * @param callback gets the embedded database if it is of an older PostgreSQL than that of this version, otherwise null
 */
async function withOwnDatabase(
  { database, dataDir }: Config,
  logMessage: LogMessage,
  callback: (older: OlderCluster | null) => Promise<string>,
): Promise<string> {
  if (database.kind === 'server') return explainDatabaseErrors(DATABASE_URL_HINT, () => callback(null))
  const older = olderMajor(dataDir)
  const using = async (programs: string | null) => {
    const embedded = await startEmbedded(dataDir, {}, 'command', logMessage, programs)
    let atEnd: (() => void) | undefined
    const replaceAtEnd = () => void (atEnd = () => replaceCluster(embeddedPlace(dataDir)))
    try {
      return await callback(older === null ? null : { replaceAtEnd })
    } finally {
      await embedded.stop(logMessage, atEnd)
    }
  }
  return older === null ? using(null) : withPrograms(embeddedPlace(dataDir), older, logMessage, using)
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
    if (installed?.upgrade?.phase === 'moved') throw moved(installed.upgrade)
    if (installed !== null && installed.upgrade !== null) throw interrupted(installed.upgrade)
    const { missing, isEmpty } = await compareTables(upgrading.owner)
    if (missing.length > 0 && !isEmpty) {
      throw new OlderDatabase(
        `The database has the tables of version ${installed?.version ?? '1.0.0'}. Upgrade it: npm run upgrade`,
      )
    }
    await migrateAll(upgrading.owner, { app: appOf(secrets) })
    return isEmpty ? `The tables of ${own} were created.` : `The database has the tables, roles and rights of ${own}.`
  })
}

/**
 * Returns true if this program, of the old version, may take the upgrade back without being asked: it was interrupted
 * before its tables were those of the new version, which may be waiting for its check.
 */
const mayRollBack = ({ from, to, phase }: Upgrade): boolean =>
  from === own && to !== own && (phase === 'backup' || phase === 'restoring')

const moved = ({ move }: Upgrade): UpgradeFailed =>
  new UpgradeFailed(
    `The database was moved to ${move!.other}. Name that in DATABASE_URL. To use this one again: npm run upgrade -- back`,
  )

/**
 * Stops changes, backs up and migrates. Continues an upgrade that was interrupted.
 * @returns what to print if the database needs no check; null: it was migrated
 */
async function prepare(upgrading: Upgrading, { isStart = false } = {}): Promise<string | null> {
  const { owner, secrets } = upgrading
  const installed = await readInstalled(owner)
  let upgrade = installed?.upgrade ?? null
  if (upgrade?.phase === 'moved') throw moved(upgrade)
  if (upgrade !== null && (upgrade.to !== own || upgrade.move?.role === 'from')) throw interrupted(upgrade)
  if (upgrade?.phase === 'restoring') throw new UpgradeFailed(await rollBack(upgrading))
  if (upgrade === null) {
    const { missing, isEmpty } = await compareTables(owner)
    const version = installed?.version ?? (missing.length === 0 ? own : '1.0.0')
    if (!isEmpty && gt(version, own) && !isStart) {
      throw new NewerDatabase(`The database is of version ${version}, which is newer than this program (${own}).`)
    }
    if (missing.length === 0 || isEmpty) {
      await migrateAll(owner, { app: appOf(secrets) })
      if (gt(own, version)) await writeInstalled(owner, { version: own, upgrade: null })
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
    upgrade = await begin(upgrading, version, null)
  }
  const current = upgrade
  await rollBackOnError(upgrading, async () => {
    await migrateTables(upgrading, current.phase === 'backup' ? await backUpOf(upgrading, current) : current)
  })
  return null
}

async function migrateTables({ owner, secrets, logMessage }: Upgrading, upgrade: Upgrade): Promise<void> {
  const verify = async (tx: Tx) => {
    await requireInvariants(tx)
    await writeInstalled(tx, { version: upgrade.from, upgrade: { ...upgrade, phase: 'migrated' } })
  }
  await migrateAll(owner, { app: appOf(secrets), verify, granted: revokeWrites })
  logMessage('Migrated; all invariants hold.')
}

/**
 * Checks the new version and allows changes.
 * @param source old database, which is opened again if the check of the new one fails
 */
async function finish(upgrading: Upgrading, urls: readonly string[], source: Upgrading | null = null): Promise<string> {
  const { config, secrets, owner } = upgrading
  const { upgrade } = (await readInstalled(owner)) ?? { upgrade: null }
  if (upgrade === null) {
    const { missing } = await compareTables(owner)
    if (missing.length === 0) return `No upgrade is in progress. The database has the tables of version ${own}.`
    throw new UpgradeFailed(
      `No upgrade is in progress, and the database has the tables of an older version than ${own}.`,
    )
  }
  if (upgrade.phase === 'moved') throw moved(upgrade)
  if (upgrade.to !== own || upgrade.phase !== 'migrated') throw interrupted(upgrade)
  const work = async () => {
    // After a kill between tables and queues or grants, which are separate transactions.
    await migrateAll(owner, { app: appOf(secrets), granted: revokeWrites })
    await requireReadableSecrets(owner, secrets.keys, { lost: config.lostKeys, logMessage: upgrading.logMessage })
    await (urls.length === 0 ? checkOwnApi(config, secrets) : Promise.all(urls.map((url) => awaitApi(url))))
    // Processes of the old version end when they notice the new tables.
    await awaitOthers(owner, own)
    await grantAppAccess(owner, appOf(secrets), (tx) => writeInstalled(tx, { version: own, upgrade: null }))
  }
  await rollBackOnError(upgrading, work, source)
  return `Upgraded from ${upgrade.from} to ${own}. The backup of ${upgrade.from} is ${upgrade.backup!.name}.`
}

/** Rolls the upgrade back if the work fails, unless it was finished. */
async function rollBackOnError(
  upgrading: Upgrading,
  work: () => Promise<void>,
  source: Upgrading | null = null,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // The reply to a commit can be lost.
    const installed = await readInstalled(upgrading.owner).catch(() => null)
    if (installed?.version === own && installed.upgrade === null) return
    if (source !== null) throw await takenBack(source, upgrading, error)
    const state = await rollBack(upgrading).catch(
      (failure: Error) => `It could not be taken back (${failure.message}): run npm run upgrade -- back`,
    )
    throw new UpgradeFailed(`The upgrade to ${own} failed: ${reason}. ${state}`, { cause: error })
  }
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
