import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectAll } from '@trainyard/modules/server.ts'
import { counted } from '@trainyard/platform/contract/words/counted.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { backUp } from '@trainyard/platform/server/db/backup/back-up.ts'
import { folderStore } from '@trainyard/platform/server/db/backup/folder-store.ts'
import { NoBackup } from '@trainyard/platform/server/db/backup/no-backup.ts'
import { check, load, requireRestorable } from '@trainyard/platform/server/db/backup/restore.ts'
import { manualName } from '@trainyard/platform/server/db/backup/retention.ts'
import type { BackupStore } from '@trainyard/platform/server/db/backup/store.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import { rehearseMigration } from '@trainyard/platform/server/db/migrate.ts'
import { endProcessesIn } from '@trainyard/platform/server/db/embedded/cluster.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { appLoginOf, urlAs } from '@trainyard/platform/server/db/roles.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { lockFolder } from '@trainyard/platform/server/run/files/folder-lock.ts'
import { restrictDataFolder } from '@trainyard/platform/server/run/files/private-folder.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import { backupStoreOf, connectForBackup } from './automatic-backups.ts'
import { appOf, asOwner, createAllTables, migrateDatabase } from './migrate-database.ts'
import { locked } from './upgrade-steps.ts'
import { withExistingDatabase, withDatabase } from './with-database.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Backs up the database, running or not (`npm run backup [-- FILE]`). Returns a message to print. */
export async function backupCommand(
  config: Config,
  secrets: Secrets,
  [to, ...extra]: readonly string[],
): Promise<string> {
  if (extra.length > 0 || to?.startsWith('-') === true) {
    throw new WrongUsage('Name at most one file: npm run backup [-- FILE]')
  }
  connectAll()
  const path = to === undefined ? null : resolve(config.invocationDir, to)
  const isFolder = path !== null && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const store = path === null ? backupStoreOf(config, secrets) : folderStore(isFolder ? path : dirname(path))
  if (store === null) throw new WrongUsage('Name a file, or set BACKUP_FOLDER or BACKUP_S3_URL: npm run backup -- FILE')
  const ids = secrets.keys.map(({ id }) => id)
  const { recipient } = config.backups
  const { name, header, bytes, rows } = await withExistingDatabase(config, () =>
    backUp(
      connectForBackup(secrets),
      { store, keys: ids, recipient },
      path === null || isFolder ? manualName(new Date()) : basename(path),
    ),
  )
  return (
    `Backed up to ${store.place}/${name}: ${counted(rows, 'row')}, ${Math.ceil(bytes / 1e6)} MB, with all changes committed until ${header.until}. ` +
    (recipient === null ? '' : `It is encrypted for ${recipient}. `) +
    `It needs the key ${ids.join(', ')}: copy the backup to another machine, and SECRET_KEYS or secret.key to a ` +
    'different place.'
  )
}

interface RestoreArguments {
  readonly from: string
  readonly identityFile: string | undefined
  readonly dryRun: boolean
}

function parseRestore(args: readonly string[]): RestoreArguments {
  const usage = 'Name the backup: npm run restore -- FILE [--identity FILE] [--dry-run]'
  try {
    const options = { identity: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [from, ...extra] = positionals
    if (from !== undefined && extra.length === 0)
      return { from, identityFile: values.identity, dryRun: values['dry-run'] === true }
  } catch (error) {
    throw new WrongUsage(`${(error as Error).message}\n${usage}`, { cause: error })
  }
  throw new WrongUsage(usage)
}

/** Returns the secret key of a file that `age-keygen` wrote. */
function ageKeyIn(file: string): string {
  try {
    const key = /^AGE-SECRET-KEY-\S+$/m.exec(readFileSync(file, 'utf8'))?.[0]
    if (key !== undefined) return key
  } catch (error) {
    throw new NoBackup(`${file} cannot be read: ${(error as Error).message}`)
  }
  throw new NoBackup(`${file} has no age key: a line that starts with AGE-SECRET-KEY-.`)
}

/** Returns where the backup is: a file, or a name in the place of the automatic backups. */
async function find(config: Config, secrets: Secrets, from: string): Promise<readonly [BackupStore, string]> {
  const path = resolve(config.invocationDir, from)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true)
    throw new NoBackup(`${path} is a folder: restore it with the version of this program that made it, or name a file.`)
  if (stats !== undefined) return [folderStore(dirname(path)), basename(path)]
  const store = backupStoreOf(config, secrets)
  const names = store === null ? [] : (await store.list()).filter((name) => name.endsWith('.backup')).toSorted()
  if (store !== null && names.includes(from)) return [store, from]
  const known = names.length === 0 ? '' : ` ${store!.place} has ${names.slice(-20).join(', ')}.`
  throw new NoBackup(`There is no backup ${from}.${known}`)
}

/**
 * Restores a backup into a data folder without a database, or into an empty database of DATABASE_URL
 * (`npm run restore -- FILE`). Checks the whole file first. With `--dry-run` it changes nothing.
 */
export async function restoreCommand(config: Config, secrets: Secrets, args: readonly string[]): Promise<string> {
  connectAll()
  const { from, identityFile, dryRun } = parseRestore(args)
  const identity = identityFile === undefined ? null : ageKeyIn(resolve(config.invocationDir, identityFile))
  const [store, name] = await find(config, secrets, from)
  const keys = [...secrets.keys.map(({ id }) => id), ...config.lostKeys]
  const steps = await requireRestorable(store, name, { keys, identity, dataDir: config.dataDir })
  const { header, rows, tables } = await check(store, name, identity)
  const target =
    config.database.kind === 'embedded' ? embeddedTarget(config, secrets, name) : serverTarget(config, secrets)
  await target.requireEmpty()
  const content = `${counted(rows, 'row')} of ${tables} tables, as of ${header.until}`
  if (dryRun) {
    const lost = header.keys.filter((id) => !secrets.keys.some((key) => key.id === id))
    const loss = lost.length === 0 ? '' : ` What only the key ${lost.join(' or ')} decrypts is lost.`
    return `${name} is whole and can be restored to ${target.name}: ${content}.${loss} Nothing was changed.`
  }
  const output: string[] = []
  const violated: string[] = []
  await target.fill(async (logins) => {
    const ownerUrl = logins.ownerUrl!
    await asOwner(logins, async (owner) => {
      await createAllTables(owner, steps)
      await load(owner, store, name, identity)
    })
    await migrateDatabase(logins)
    await withConnection({ connectionString: ownerUrl }, { size: 1, as: 'owner' }, async (db) => {
      await requireReadableSecrets(db, secrets.keys, {
        lost: config.lostKeys,
        logMessage: (text) => void output.push(text),
      })
      const violations = await brokenInvariants(db, { quiet: false })
      violated.push(...violations.map(({ name: invariant, description }) => `${invariant} (${description})`))
    })
  })
  if (violated.length > 0) throw new NoBackup(`Restored, but the data violates invariants: ${violated.join(', ')}`)
  return [`Restored to ${target.name}: ${content}; all invariants hold.`, ...output].join('\n')
}

/** Database into which a backup is restored. */
interface Target {
  readonly name: string
  /** @throws NoBackup if it has data */
  requireEmpty(): Promise<void>
  /** Calls back with the logins of the empty database. If that fails, the target is as empty as before. */
  fill(callback: (logins: Secrets) => Promise<void>): Promise<void>
}

function embeddedTarget(config: Config, secrets: Secrets, from: string): Target {
  const { dataDir } = config
  const place = embeddedPlace(dataDir)
  const requireEmpty = async () => {
    if (!existsSync(place.cluster)) return
    throw new NoBackup(
      `${place.cluster} already exists, and nothing is overwritten. Move it away, or restore to another folder: ` +
        `TRAINYARD_DATA=FOLDER npm run restore -- ${from}`,
    )
  }
  return {
    name: dataDir,
    requireEmpty,
    async fill(callback) {
      restrictDataFolder(dataDir, null)
      restrictDataFolder(place.home, place.osUser?.gid ?? null)
      // The lock prevents a second restore, which would remove the files of the first.
      const folder = await lockFolder(dataDir, 'command')
      // The database gets its name when it is complete, so that no start uses half of it.
      const draftDir = join(place.home, 'restoring')
      try {
        await requireEmpty()
        const draft = embeddedPlace(draftDir)
        // A restore that was killed leaves its database running.
        await endProcessesIn(draft.cluster)
        rmSync(draftDir, { recursive: true, force: true })
        const server = await startEmbedded(draftDir, {}, 'command')
        try {
          await callback(loginsOf(secrets, draft.url))
        } finally {
          await server.stop()
        }
        renameSync(draft.cluster, place.cluster)
      } finally {
        rmSync(draftDir, { recursive: true, force: true })
        folder.unlock()
      }
    },
  }
}

const loginsOf = (secrets: Secrets, ownerUrl: string): Secrets => ({
  ...secrets,
  ownerUrl,
  databaseUrl: urlAs(ownerUrl, appLoginOf(ownerUrl)),
})

function serverTarget(config: Config, secrets: Secrets): Target {
  const url = secrets.ownerUrl
  if (url === null) throw new NoBackup('Set DATABASE_URL: a restore needs the login of the owner.')
  const query = <T>(callback: (client: pg.Client) => Promise<T>): Promise<T> =>
    withDatabase(config, async () => {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return await callback(client)
      } finally {
        await client.end()
      }
    })
  const requireEmpty = () =>
    query(async (client) => {
      const { rows } = await client.query<{ tables: number }>(`
        select count(*)::int as tables from pg_class c join pg_namespace n on n.oid = relnamespace
        where nspname in ('public', 'pgboss') and relkind in ('r', 'p')`)
      if (rows[0]!.tables > 0)
        throw new NoBackup(
          'The database of DATABASE_URL has tables, and nothing is overwritten. Create an empty database, and name it in DATABASE_URL.',
        )
      await asOwner(secrets, (owner) => rehearseMigration(owner, appOf(secrets)))
    })
  return {
    name: 'the database of DATABASE_URL',
    requireEmpty,
    // The lock keeps out another restore, and programs that would create tables.
    fill: (callback) =>
      withDatabase(config, () =>
        locked(config, secrets, logMessage, async () => {
          await requireEmpty()
          try {
            // Record of a move that was taken back.
            await query((client) => client.query('drop schema if exists installation cascade'))
            await callback(secrets)
          } catch (error) {
            // The schemas had no tables before.
            await query((client) =>
              client.query('drop schema if exists pgboss cascade; drop schema public cascade; create schema public'),
            ).catch(() => undefined)
            throw error
          }
        }),
      ),
  }
}

const logMessage = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
