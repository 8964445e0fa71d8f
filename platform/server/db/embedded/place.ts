import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { osUserFor, canEnter, type OsUser } from './os-user.ts'

export interface EmbeddedPlace {
  readonly cluster: string
  /** Folder of the socket, readable only by its user. */
  readonly sockets: string
  readonly log: string
  readonly home: string
  readonly osUser: OsUser | null
  /** Connection string of the database's owner, who is not a superuser. */
  readonly url: string
  readonly superuserUrl: string
  readonly elsewhere: string | null
}

/** Data folder that is used if PostgreSQL's user cannot enter the data folder of root. */
const SYSTEM_FOLDER = '/var/lib/trainyard'

/**
 * Maximum length of the folder. A socket's address has at most 108 bytes, including the zero byte and `/.s.PGSQL.5432`.
 */
const LONGEST_SOCKET_FOLDER = 107 - '/.s.PGSQL.5432'.length

export function embeddedPlace(dataDir: string): EmbeddedPlace {
  const path = join(dataDir, 'postgres')
  const osUser = osUserFor(path)
  if (osUser === null) return place(path, dataDir, null, null)

  const home = join(SYSTEM_FOLDER, shortName(dataDir))
  const cluster = join(home, 'postgres')
  // startEmbedded gives the user access to the data folder, but not to the folders above it.
  const isEnterable = canEnter(osUser, nearestExisting(dirname(dataDir)))
  // An existing database remains in the replacement folder even if the data folder has become accessible.
  if (isEnterable && (isCluster(path) || !isCluster(cluster))) return place(path, dataDir, osUser, null)

  const runner = osUserFor(cluster) ?? osUser
  return place(
    cluster,
    home,
    runner,
    `PostgreSQL does not run as root, and the account ${runner.name} cannot enter ${dataDir}: ` +
      `the database is stored in ${home} instead.`,
  )
}

function place(cluster: string, home: string, osUser: OsUser | null, elsewhere: string | null): EmbeddedPlace {
  const requested = join(home, 'run')
  const fits = Buffer.byteLength(requested) <= LONGEST_SOCKET_FOLDER
  const sockets = fits ? requested : join(tmpdir(), `trainyard-${shortName(home)}`)
  return {
    cluster,
    sockets,
    home,
    log: join(home, 'logs', 'postgres.log'),
    osUser,
    url: socketUrl(sockets, 'trainyard', 'trainyard'),
    superuserUrl: socketUrl(sockets, 'postgres', 'postgres'),
    elsewhere,
  }
}

function socketUrl(sockets: string, user: string, database: string): string {
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(sockets)}`
}

const isCluster = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'))

function shortName(folder: string): string {
  return createHash('sha256').update(realpathOrSame(folder)).digest('hex').slice(0, 12)
}

function realpathOrSame(folder: string): string {
  const there = nearestExisting(folder)
  return realpathSync(there) + folder.slice(there.length)
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}

export const hasCluster = (dataDir: string): boolean => isCluster(embeddedPlace(dataDir).cluster)
