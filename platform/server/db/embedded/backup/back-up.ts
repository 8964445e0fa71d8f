import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import pg from 'pg'
import { makePrivateFolder, PRIVATE_FILE, PRIVATE_FOLDER } from '../../../run/files/private-folder.ts'
import { embeddedPlace } from '../place.ts'
import { copyEncrypted, copyFile } from './copy-file.ts'
import { CLUSTER, ENCRYPTED, MANIFEST, type Manifest, type ManifestFile, NoBackup } from './manifest.ts'

/**
 * Folders that are backed up without their contents. Source:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA
 */
const OMITTED_CONTENTS = new Set(
  'pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
const OMITTED_FILES = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|standby\.signal|recovery\.signal)$/

export interface BackupKeys {
  /** IDs of the installation's keys, which the backup names but does not contain. */
  readonly keys: readonly string[]
  /** age recipient for which the backup is encrypted; null: the backup is not encrypted. */
  readonly recipient: string | null
}

/** File that identifies an unfinished backup. A finished backup does not contain it. */
export const UNFINISHED = 'unfinished-backup'

/** ID of the advisory lock of backups. Two concurrent backups into one folder would delete each other's files. */
const LOCK = 7_246_881_002

/**
 * Backs up the running embedded database to a new folder. The backup is a copy of the database files and of the WAL
 * that makes the copy consistent (PostgreSQL's low-level backup).
 * @throws NoBackup if the folder exists, is in the cluster or cannot be created, if a folder with its name and `.part`
 * exists, or if another backup is in progress
 */
export async function backUp(dataDir: string, folder: string, { keys, recipient }: BackupKeys): Promise<Manifest> {
  const copy = copierFor(recipient)
  const place = embeddedPlace(dataDir)
  const draft = `${folder}.part`
  if (existsSync(folder)) throw new NoBackup(`${folder} already exists. Name a new folder.`)
  if (isWithin(folder, place.cluster)) {
    throw new NoBackup(`${folder} is in the data folder of PostgreSQL. Name a folder elsewhere.`)
  }
  const client = new pg.Client({ connectionString: place.superuserUrl, application_name: 'trainyard backup' })
  client.on('error', () => undefined)
  await client.connect()
  let drafted = false
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK])
    if (!rows[0]!.held) throw new NoBackup('Another backup is in progress. Try again when it has ended.')
    makeDraft(draft, folder)
    drafted = true
    const one = async (query: string) => (await client.query<Record<string, string>>(query)).rows[0]!
    // The replication slot retains the WAL from now on. The slot is temporary and ends with this session.
    await one(`select pg_create_physical_replication_slot('trainyard_backup_' || pg_backend_pid(), true, true)`)
    const { first } = await one(`select pg_walfile_name(pg_backup_start('trainyard', fast => true)) as first`)
    const files = await copyTree(copy, place.cluster, join(draft, CLUSTER))
    const { until } = await one(`select clock_timestamp()::text as until`)
    const { labelfile, spcmapfile, last } = await one(
      `select labelfile, spcmapfile, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`,
    )
    if (spcmapfile) throw new Error('Tablespaces are not backed up. The embedded database should have none.')
    for (const name of readdirSync(join(place.cluster, 'pg_wal')).filter((each) => isBetween(first!, each, last!))) {
      files.push(await copy(place.cluster, join(draft, CLUSTER), `pg_wal/${name}`))
    }
    const label = join(draft, LABEL_FOLDER)
    writeFileSync(join(makeFolder(label), LABEL), labelfile!, { mode: PRIVATE_FILE })
    files.push(await copy(label, join(draft, CLUSTER), LABEL))
    rmSync(label, { recursive: true })
    const { version } = await one(`select current_setting('server_version_num')::int / 10000 as version`)
    const manifest: Manifest = {
      postgres: String(version),
      until: new Date(until!).toISOString(),
      keys,
      ...(recipient !== null && { encryptedFor: recipient }),
      files,
    }
    writeFileSync(join(draft, MANIFEST), JSON.stringify(manifest), { mode: PRIVATE_FILE, flush: true })
    renameSync(draft, folder)
    rmSync(join(folder, UNFINISHED))
    return manifest
  } catch (error) {
    if (drafted) rmSync(draft, { recursive: true, force: true })
    throw error
  } finally {
    await client.end()
  }
}

/** Returns true if the folder is inside the parent. The folder may not exist yet. Symbolic links are resolved. */
function isWithin(folder: string, parent: string): boolean {
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  const real = realpathSync(parent)
  return `${realpathSync(existing)}${sep}`.startsWith(`${real}${sep}`)
}

const LABEL = 'backup_label'

function makeFolder(folder: string): string {
  mkdirSync(folder, { mode: PRIVATE_FOLDER })
  return folder
}

/** Returns true for an empty folder, and for a folder that contains only an unfinished backup. */
export function isUnfinishedBackup(folder: string): boolean {
  if (!lstatSync(folder).isDirectory()) return false
  const names = readdirSync(folder)
  return names.length === 0 || (names.includes(UNFINISHED) && names.every((name) => DRAFT_NAMES.has(name)))
}

const LABEL_FOLDER = 'label'
const DRAFT_NAMES: ReadonlySet<string> = new Set([UNFINISHED, CLUSTER, LABEL_FOLDER, MANIFEST])

/**
 * Creates the folder of the unfinished backup. @throws NoBackup also if an unrelated folder or file has its name. Such
 * files are never deleted
 */
function makeDraft(draft: string, folder: string): void {
  try {
    makePrivateFolder(dirname(folder))
    if (lstatSync(draft, { throwIfNoEntry: false }) !== undefined) {
      if (!isUnfinishedBackup(draft)) {
        throw new NoBackup(
          `${draft} exists and is not an unfinished backup of this version. Move it away, or name another folder for the backup.`,
        )
      }
      rmSync(draft, { recursive: true })
    }
    mkdirSync(draft, { mode: PRIVATE_FOLDER })
    const text = 'The next backup to the same folder deletes this folder.\n'
    writeFileSync(join(draft, UNFINISHED), text, { mode: PRIVATE_FILE, flush: true })
  } catch (error) {
    if (error instanceof NoBackup) throw error
    throw new NoBackup(`${folder} cannot be created: ${(error as Error).message}. Name another folder.`)
  }
}

/** Compares names of WAL segments. They have equal lengths and sort in order. */
const isBetween = (first: string, name: string, last: string): boolean =>
  name.length === first.length && first <= name && name <= last

async function copyTree(copy: Copy, from: string, to: string, below = ''): Promise<ManifestFile[]> {
  const files: ManifestFile[] = []
  mkdirSync(join(to, below), { recursive: true, mode: PRIVATE_FOLDER })
  for (const entry of readdirSync(join(from, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (OMITTED_FILES.test(entry.name)) continue
    if (entry.isDirectory()) {
      if (below === '' && OMITTED_CONTENTS.has(entry.name)) mkdirSync(join(to, path), { mode: PRIVATE_FOLDER })
      else files.push(...(await copyTree(copy, from, to, path)))
    } else if (entry.isFile()) {
      // A table that was dropped during the backup is missing. The WAL contains the removal of the table.
      const file = await copy(from, to, path).catch(ignoreIfDeleted(join(from, path)))
      if (file !== null) files.push(file)
    }
  }
  return files
}

type Copy = (from: string, to: string, path: string) => Promise<ManifestFile>

const copierFor =
  (recipient: string | null): Copy =>
  async (from, to, path) => {
    const [source, target] = [join(from, path), join(to, path)]
    const copied =
      recipient === null ? await copyFile(source, target) : await copyEncrypted(source, target + ENCRYPTED, recipient)
    return { path, ...copied }
  }

const ignoreIfDeleted =
  (source: string) =>
  (error: unknown): null => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(source)) return null
    throw error
  }
