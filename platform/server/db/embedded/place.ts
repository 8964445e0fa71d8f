import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { NoDatabase } from '../no-database.ts'

export interface OsUser {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

export interface EmbeddedPlace {
  readonly cluster: string
  /** Folder of the socket, readable only by its user. */
  readonly sockets: string
  readonly log: string
  readonly home: string
  /** User that runs PostgreSQL; null: the user of this process. */
  readonly osUser: OsUser | null
  /** Connection string of the database's owner, who is not a superuser. */
  readonly url: string
  readonly superuserUrl: string
  /** Sentence that says where the database is stored, if not in the data folder. */
  readonly elsewhere: string | null
}

/** Folder for what PostgreSQL's user cannot reach in the folders of root. */
export const SYSTEM_FOLDER = '/var/lib/trainyard'

/**
 * Maximum length of the folder. A socket's address has at most 108 bytes, including the zero byte and `/.s.PGSQL.5432`.
 */
const LONGEST_SOCKET_FOLDER = 107 - '/.s.PGSQL.5432'.length

export function embeddedPlace(dataDir: string): EmbeddedPlace {
  const path = join(dataDir, 'postgres')
  const osUser = osUserFor(path)
  if (osUser === null) return place(dataDir, null, null)

  const home = join(SYSTEM_FOLDER, shortName(dataDir))
  // startEmbedded gives the user access to the data folder, but not to the folders above it.
  const isEnterable = canEnter(osUser, nearestExisting(dirname(dataDir)))
  // An existing database remains in the replacement folder even if the data folder has become accessible.
  if (isEnterable && (isCluster(path) || !isCluster(join(home, 'postgres')))) return place(dataDir, osUser, null)

  const runner = osUserFor(join(home, 'postgres')) ?? osUser
  return place(
    home,
    runner,
    `PostgreSQL does not run as root, and the account ${runner.name} cannot enter ${dataDir}: ` +
      `the database is stored in ${home} instead.`,
  )
}

export function hasCluster(dataDir: string): boolean {
  const { cluster } = embeddedPlace(dataDir)
  return isCluster(cluster) || isCluster(nextOf(cluster))
}

/** Returns the folder of the cluster that replaces this one. */
export const nextOf = (cluster: string): string => `${cluster}-next`

export const isCluster = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'))

function place(home: string, osUser: OsUser | null, elsewhere: string | null): EmbeddedPlace {
  const requested = join(home, 'run')
  const fits = Buffer.byteLength(requested) <= LONGEST_SOCKET_FOLDER
  const sockets = fits ? requested : join(tmpdir(), `trainyard-${shortName(home)}`)
  const urlOf = (user: string) => `postgresql://${user}@localhost/${user}?host=${encodeURIComponent(sockets)}`
  return {
    cluster: join(home, 'postgres'),
    sockets,
    home,
    log: join(home, 'logs', 'postgres.log'),
    osUser,
    url: urlOf('trainyard'),
    superuserUrl: urlOf('postgres'),
    elsewhere,
  }
}

/** PostgreSQL refuses to run as root. */
export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Returns the user that runs PostgreSQL; null: the user of this process. Root uses the folder's owner, otherwise
 * the first existing user of the names below.
 */
export function osUserFor(cluster: string): OsUser | null {
  if (!isRoot()) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find(({ uid }) => uid === owner.uid)?.name ?? `with uid ${owner.uid}`
    return { uid: owner.uid, gid: owner.gid, name }
  }
  const found = ['postgres', 'nobody'].flatMap((name) => users.filter((user) => user.name === name))[0]
  if (found !== undefined) return found
  throw new NoDatabase(
    'PostgreSQL does not run as root, and this machine has no account named postgres or nobody. ' +
      'Start as an ordinary user, or set DATABASE_URL.',
  )
}

export function canEnter({ uid, gid }: OsUser, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
}

/** Returns options that make a child process run as the user. */
export const runAs = (osUser: OsUser | null): { uid?: number; gid?: number } =>
  osUser === null ? {} : { uid: osUser.uid, gid: osUser.gid }

function shortName(folder: string): string {
  const existing = nearestExisting(folder)
  const real = realpathSync(existing) + folder.slice(existing.length)
  return createHash('sha256').update(real).digest('hex').slice(0, 12)
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}
