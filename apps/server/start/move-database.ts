import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Secrets } from '@trainyard/platform/server/config/config.ts'
import { productVersion } from '@trainyard/platform/server/config/config.ts'
import { appRoleIn } from '@trainyard/platform/server/db/app-access.ts'
import { compareTables, ownRelations, rehearseMigration } from '@trainyard/platform/server/db/migrate.ts'
import { appLoginOf, loginIn, urlAs } from '@trainyard/platform/server/db/roles.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import {
  foreignObjects,
  grantAgain,
  hasTables,
  type Installed,
  readInstalled,
  revokeWrites,
  type Upgrade,
  writeInstalled,
} from '@trainyard/platform/server/db/upgrade.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import { appOf, migrateAll } from './migrate-database.ts'
import {
  backUpOf,
  begin,
  discard,
  interrupted,
  locked,
  restoreBackupOf,
  rollBack,
  UpgradeFailed,
  type Upgrading,
} from './upgrade-steps.ts'
import { WrongUsage } from './wrong-usage.ts'

const own = productVersion()

/** Returns the address of a database, without its login. */
export function addressOf(connectionString: string): string {
  const { hostname, port, pathname, searchParams } = new URL(connectionString)
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}${pathname}`
}

/** Returns a connection string for an address on this host; null for another one, which may need TLS. */
function urlOf(address: string): string | null {
  const [, host = '', port, path = ''] = /^(.*):(\d+)(\/.*)?$/.exec(address)!
  const name = host.replace(/^\[(.*)\]$/, '$1')
  if (!/^(\/|localhost$|127\.|::1$)/.test(name)) return null
  return `postgresql://localhost:${port}${path}?host=${encodeURIComponent(name)}`
}

const serverVersion = async (owner: Db): Promise<string> => {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(owner)
  return `PostgreSQL ${rows[0]!.version}`
}

/** Returns the logins of the new database. A login that the URL lacks is that of the old database. */
export function loginsAt(to: string, secrets: Secrets): Secrets {
  const owner = secrets.ownerUrl!
  const { role, password } = loginIn(owner)
  const ownerUrl = loginIn(to).role === null && role !== null ? urlAs(to, { role, password }) : to
  const app = appOf(secrets)
  return { ...secrets, ownerUrl, databaseUrl: urlAs(ownerUrl, app.isDerived === true ? appLoginOf(ownerUrl) : app) }
}

/**
 * Copies a database into an empty one, which gets the tables of this version. Both accept no changes afterwards.
 * Continues a move that was interrupted.
 * @param options.mark false: a program of the old version may open the old database again without being asked
 * @returns what to print if the move was finished before; null: the new database waits for its check
 */
export async function moveDatabase(source: Upgrading, target: Upgrading, { mark = true } = {}): Promise<string | null> {
  const [from, to] = [source, target].map(({ secrets }) => addressOf(secrets.ownerUrl!)) as [string, string]
  const installed = await readInstalled(source.owner)
  const begun = installed?.upgrade ?? null
  if (begun !== null) {
    if (begun.move?.role !== 'from') throw interrupted(begun)
    requireSame(begun, to)
    if (begun.phase === 'moved' && (await isFilled(target.owner, begun, to)))
      return (await readInstalled(target.owner))!.upgrade === null
        ? `The database was moved to ${to} before. Nothing had to be changed.`
        : null
    if (begun.to !== own) throw interrupted(begun)
  }
  await requireFree(target.owner, to, begun)
  if (begun === null) await requireUsable(source, target, to)
  const upgrade = begun ?? (await beginMove(source, installed, to))
  const { id } = upgrade.move!
  const appRole = await appRoleIn(source.owner)
  try {
    const backedUp = await backUpOf(source, upgrade)
    // The app of the new database can have another role, and that of the old one must not write there.
    const grants = upgrade.grants.filter((grant) => !grant.endsWith(` to ${appRole}`))
    await fill(target, { ...backedUp, grants, move: { role: 'to', other: from, id } })
    // In this order, so that the new one can be opened only while the old one is closed.
    if (mark) await writeInstalled(source.owner, { version: upgrade.from, upgrade: { ...backedUp, phase: 'moved' } })
    await writeInstalled(target.owner, {
      version: upgrade.from,
      upgrade: { ...backedUp, move: { role: 'to', other: from, id }, phase: 'migrated' },
    })
    target.logMessage(
      `Copied from ${await serverVersion(source.owner)} to ${await serverVersion(target.owner)}; all invariants hold.`,
    )
  } catch (error) {
    throw await takenBack(source, target, error)
  }
  return null
}

/** Takes the move back, and returns the error that says so. */
export async function takenBack(source: Upgrading, target: Upgrading, cause: unknown): Promise<UpgradeFailed> {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const state = await takeMoveBack(source, target).catch(
    (failure: Error) =>
      `It could not be taken back (${failure.message.replace(/\.$/, '')}), and the old database accepts no changes. When that is mended: npm run upgrade -- back --to DATABASE_URL`,
  )
  return new UpgradeFailed(`The move failed: ${reason.replace(/\.$/, '')}. ${state}`, { cause })
}

/** Empties the new database, unless it was used, and opens the old one again. */
export async function takeMoveBack(source: Upgrading, target: Upgrading): Promise<string> {
  const { upgrade } = (await readInstalled(source.owner)) ?? { upgrade: null }
  if (upgrade === null || upgrade.move?.role !== 'from') return rollBack(source)
  const to = addressOf(target.secrets.ownerUrl!)
  requireSame(upgrade, to)
  const left = await empty(target.owner, upgrade, to).then(
    () => '',
    (failure: Error) => {
      if (upgrade.phase === 'moved' || failure instanceof UpgradeFailed) throw failure
      // It cannot be opened: that needs the phase `moved` here.
      return ` ${to} could not be emptied (${failure.message}): delete it.`
    },
  )
  return `${await rollBack(source, { isClosedThere: true })}${left}`
}

/**
 * Opens the database that was moved, whatever became of the one to which it was moved. Empties that one if it answers and
 * has accepted no changes, so that it cannot be opened too.
 * @param url of the new database; null: if it is on this host, its address with the login of this one
 */
export async function abandonMove(source: Upgrading, url: string | null): Promise<string> {
  const { owner } = source
  const { upgrade } = (await readInstalled(owner)) ?? { upgrade: null }
  if (upgrade?.phase !== 'moved') throw new UpgradeFailed('The database was not moved. Nothing was changed.')
  const { other } = upgrade.move!
  const to = url !== null && addressOf(url) === other ? url : urlOf(other)
  const rest = to === null ? deleteIt(other) : await emptied(source, upgrade, to)
  await rollBack(source, { isClosedThere: true })
  return `The database accepts changes again; start version ${upgrade.from}. ${rest}`
}

const deleteIt = (other: string): string =>
  `Delete ${other}, if it exists: this one lacks what was changed there since.`

async function emptied({ config, secrets, logMessage }: Upgrading, upgrade: Upgrade, to: string): Promise<string> {
  const { other } = upgrade.move!
  try {
    await locked(config, loginsAt(to, secrets), logMessage, (target) => empty(target.owner, upgrade, other))
    return `${other} is empty.`
  } catch (error) {
    if (error instanceof FilledByOther) return `${other} was filled by another move, and stays.`
    if (error instanceof UpgradeFailed) return deleteIt(other)
    return `${other} could not be emptied (${(error as Error).message}). ${deleteIt(other)}`
  }
}

function requireSame({ move, phase }: Upgrade, to: string): void {
  if (move!.other === to) return
  throw new UpgradeFailed(
    phase === 'moved'
      ? `The database was moved to ${move!.other}, not to ${to}.`
      : `A move of the database to ${move!.other} was begun. Finish it, or take it back first: npm run upgrade -- back`,
  )
}

/** Returns true if the new database has everything, whether or not it accepts changes. */
async function isFilled(target: Db, { move }: Upgrade, to: string): Promise<boolean> {
  const there = await readInstalled(target)
  if (there !== null && there.upgrade === null && (await hasTables(target))) return true
  if (there?.upgrade?.move?.id === move!.id) return there.upgrade.phase === 'migrated'
  throw new UpgradeFailed(
    `The database was moved to ${to}, which lacks it. To use this one again: npm run upgrade -- back --to DATABASE_URL, with its URL`,
  )
}

class FilledByOther extends UpgradeFailed {}

const preparedByOther = (to: string, { other }: NonNullable<Upgrade['move']>): UpgradeFailed =>
  new FilledByOther(
    `The database ${to} was filled by another move, from ${other}. Nothing was changed. To empty it: npm run upgrade -- back, with its DATABASE_URL.`,
  )

async function empty(target: Db, { move }: Upgrade, to: string): Promise<void> {
  if (!(await hasTables(target))) return
  const there = await readInstalled(target)
  if (there?.upgrade?.move?.role !== 'to')
    throw new UpgradeFailed(
      `The database ${to} has accepted changes since the move. To lose them and use the old one: npm run upgrade -- back --abandon`,
    )
  if (there.upgrade.move.id !== move!.id) throw preparedByOther(to, there.upgrade.move)
  await discard(target)
}

async function requireFree(target: Db, to: string, begun: Upgrade | null): Promise<void> {
  if (!(await hasTables(target))) return
  const there = await readInstalled(target)
  if (there?.upgrade?.move?.role !== 'to')
    throw new UpgradeFailed(`The database ${to} has tables, and nothing is overwritten. Name an empty database.`)
  if (there.upgrade.move.id !== begun?.move!.id) throw preparedByOther(to, there.upgrade.move)
  // The copy that an interrupted move left has never accepted a change.
  await discard(target)
}

/** @throws UpgradeFailed if the new database lacks what the move needs */
async function requireUsable(source: Upgrading, { owner, secrets, logMessage }: Upgrading, to: string): Promise<void> {
  const [old, found] = await Promise.all([propertiesOf(source.owner), propertiesOf(owner)])
  const refusal = (reason: string) =>
    new UpgradeFailed(`The database ${to} cannot be used: ${reason.replace(/\.$/, '')}. Nothing was changed.`)
  if (found.version < 150_000) throw refusal('its server is older than PostgreSQL 15')
  if (found.encoding !== 'UTF8') throw refusal(`its encoding is ${found.encoding}, not UTF8`)
  await rehearseMigration(owner, appOf(secrets)).catch((error: Error) => {
    throw refusal(error.message)
  })
  if (found.collation !== old.collation)
    logMessage(`${to} sorts text by ${found.collation}, the old database by ${old.collation}.`)
}

async function propertiesOf(owner: Db) {
  const { rows } = await sql<{ version: number; encoding: string; collation: string }>`
    select current_setting('server_version_num')::int as version, pg_encoding_to_char(encoding) as encoding,
      datcollate as collation from pg_database where datname = current_database()`.execute(owner)
  return rows[0]!
}

/** @throws WrongUsage if both connections are to one database, whose URL can be written in many ways */
export async function requireOther(source: Db, target: Db): Promise<void> {
  // Each database has its own advisory locks.
  const key = randomInt(2 ** 47)
  await sql`select pg_advisory_lock(${key}::bigint)`.execute(source)
  try {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${key}::bigint) as free`.execute(target)
    if (!rows[0]!.free) throw new WrongUsage('--to names the database of DATABASE_URL.')
  } finally {
    await sql`select pg_advisory_unlock(${key}::bigint)`.execute(source)
  }
}

async function beginMove(source: Upgrading, installed: Installed | null, to: string): Promise<Upgrade> {
  const { owner } = source
  const { missing, isEmpty } = await compareTables(owner)
  if (isEmpty) throw new UpgradeFailed('The database has no tables: there is nothing to move.')
  const foreign = await foreignObjects(owner, ownRelations())
  if (foreign.length > 0)
    throw new UpgradeFailed(
      `The database has objects that are not the portal's: ${foreign.slice(0, 5).join(', ')}. Move them to another database or schema. Nothing was changed.`,
    )
  return begin(source, installed?.version ?? (missing.length === 0 ? own : '1.0.0'), {
    role: 'from',
    other: to,
    id: randomUUID(),
  })
}

async function fill(target: Upgrading, upgrade: Upgrade): Promise<void> {
  const { config, secrets, owner, logMessage } = target
  await writeInstalled(owner, { version: upgrade.from, upgrade: { ...upgrade, phase: 'restoring' } })
  await restoreBackupOf(target, upgrade, async () => undefined)
  await owner.transaction().execute((tx) => grantAgain(tx, upgrade.grants))
  await migrateAll(owner, {
    app: appOf(secrets),
    // The invariants name the app's role, which a new server lacks before.
    async granted(tx) {
      await revokeWrites(tx)
      await requireInvariants(tx)
    },
  })
  await requireReadableSecrets(owner, secrets.keys, { lost: config.lostKeys, logMessage })
}

/** @throws UpgradeFailed */
export async function requireInvariants(tx: Tx): Promise<void> {
  const violated = await brokenInvariants(tx, { quiet: false })
  if (violated.length > 0)
    throw new UpgradeFailed(`the data would violate ${violated.map(({ name }) => name).join(', ')}`)
}
