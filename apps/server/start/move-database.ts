import { sql } from 'kysely'
import type { Secrets } from '@trainyard/platform/server/config/config.ts'
import { productVersion } from '@trainyard/platform/server/config/config.ts'
import { compareTables, ownRelations } from '@trainyard/platform/server/db/migrate.ts'
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
  restoreBackupOf,
  rollBack,
  UpgradeFailed,
  type Upgrading,
} from './upgrade-steps.ts'

const own = productVersion()

/** Returns the address of a database, without its login. */
export function addressOf(connectionString: string): string {
  const { hostname, port, pathname, searchParams } = new URL(connectionString)
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}${pathname}`
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
  const isDerived = secrets.databaseUrl === urlAs(owner, appLoginOf(owner))
  return { ...secrets, ownerUrl, databaseUrl: urlAs(ownerUrl, isDerived ? appLoginOf(ownerUrl) : appOf(secrets)) }
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
  const there = await readInstalled(target.owner)
  if (installed?.upgrade?.phase === 'moved') return continueMove(installed.upgrade, to, there)
  if (installed?.upgrade && (installed.upgrade.to !== own || installed.upgrade.move === null))
    throw interrupted(installed.upgrade)
  await requireFree(target.owner, to)
  const upgrade = installed?.upgrade ?? (await beginMove(source, installed, to))
  try {
    const backedUp = await backUpOf(source, { ...upgrade, move: { role: 'from', other: to } })
    await fill(target, { ...backedUp, move: { role: 'to', other: from } })
    if (mark) await writeInstalled(source.owner, { version: upgrade.from, upgrade: { ...backedUp, phase: 'moved' } })
    target.logMessage(
      `Copied from ${await serverVersion(source.owner)} to ${await serverVersion(target.owner)}; all invariants hold.`,
    )
  } catch (error) {
    throw await takenBack(source, target, error)
  }
  return null
}

/** Empties the new database, opens the old one again, and returns the error that says so. */
export async function takenBack(source: Upgrading, target: Upgrading, cause: unknown): Promise<UpgradeFailed> {
  const reason = cause instanceof Error ? cause.message : String(cause)
  await discard(target.owner).catch(() => undefined)
  const state = await rollBack(source).catch(
    (failure: Error) => `It could not be taken back (${failure.message}): run npm run upgrade -- back`,
  )
  return new UpgradeFailed(`The move failed: ${reason.replace(/\.$/, '')}. ${state}`, { cause })
}

/** Takes a move back, unless the new database was used. */
export async function takeMoveBack(source: Upgrading, target: Upgrading): Promise<string> {
  const there = await readInstalled(target.owner)
  if (there !== null && there.upgrade === null && (await hasTables(target.owner)))
    throw new UpgradeFailed(
      `The database ${addressOf(target.secrets.ownerUrl!)} has accepted changes since the move. To lose them and use the old one: npm run upgrade -- back`,
    )
  await discard(target.owner)
  return rollBack(source)
}

function continueMove({ move }: Upgrade, to: string, there: Installed | null): string | null {
  const other = move!.other
  if (other === to && there?.upgrade === null)
    return `The database was moved to ${to} before. Nothing had to be changed.`
  if (other === to && there?.upgrade?.phase === 'migrated') return null
  throw new UpgradeFailed(
    `The database was moved to ${other}${other === to ? ', which lacks it' : ''}. To use this one again: npm run upgrade -- back`,
  )
}

async function requireFree(target: Db, to: string): Promise<void> {
  // What a move that was interrupted left has never accepted a change.
  if ((await discard(target)) === null && (await hasTables(target)))
    throw new UpgradeFailed(`The database ${to} has tables, and nothing is overwritten. Name an empty database.`)
}

async function beginMove({ owner, logMessage }: Upgrading, installed: Installed | null, to: string): Promise<Upgrade> {
  const { missing, isEmpty } = await compareTables(owner)
  if (isEmpty) throw new UpgradeFailed('The database has no tables: there is nothing to move.')
  const foreign = await foreignObjects(owner, ownRelations())
  if (foreign.length > 0) logMessage(`Not moved, because they are not the portal's: ${foreign.slice(0, 5).join(', ')}.`)
  return begin(owner, installed?.version ?? (missing.length === 0 ? own : '1.0.0'), { role: 'from', other: to })
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
      await writeInstalled(tx, { version: upgrade.from, upgrade: { ...upgrade, phase: 'migrated' } })
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
