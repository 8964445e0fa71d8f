import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { accountFor, canEnter, type Account } from './account.ts'

/** Where an installation's embedded PostgreSQL keeps its things; the same answer for every process that asks. */
export interface EmbeddedPlace {
  /** PostgreSQL's own data folder. */
  readonly cluster: string
  /** Folder of the one socket that it listens on; readable by its account alone. */
  readonly sockets: string
  readonly log: string
  /** The folder that all these stand in: the data folder, or the one that stands in for it. */
  readonly home: string
  readonly account: Account | null
  /** Connection string of the portal's database, as its owner (not a superuser). */
  readonly url: string
  /** Connection string for the lifecycle: the cluster's superuser on the database `postgres`. */
  readonly superuserUrl: string
  /** A sentence for people when the database stands outside the data folder; else null. */
  readonly elsewhere: string | null
}

/** Where root's data goes when the account that PostgreSQL runs under can't reach the data folder. */
const SYSTEM_FOLDER = '/var/lib/trainyard'

/** Unix socket addresses hold 108 bytes with the closing zero; PostgreSQL adds `/.s.PGSQL.5432.lock` for its lock. */
const LONGEST_SOCKET_FOLDER = 107 - '/.s.PGSQL.5432'.length

/** @param dataDir absolute path; need not exist yet */
export function embeddedPlace(dataDir: string): EmbeddedPlace {
  const inside = join(dataDir, 'postgres')
  const account = accountFor(inside)
  if (account === null) return place(inside, dataDir, null, null)

  const home = join(SYSTEM_FOLDER, shortName(dataDir))
  const cluster = join(home, 'postgres')
  // Root lets the account through the data folder itself, see startEmbedded; those above it are not ours to open.
  const isEnterable = canEnter(account, nearestExisting(dirname(dataDir)))
  // A database that was put elsewhere stays there, also when its data folder could be entered by now.
  if (isEnterable && (isCluster(inside) || !isCluster(cluster))) return place(inside, dataDir, account, null)

  const runner = accountFor(cluster) ?? account
  return place(
    cluster,
    home,
    runner,
    `PostgreSQL does not run as root, and the account ${runner.name} can't enter ${dataDir}: ` +
      `the database is kept in ${home} instead.`,
  )
}

function place(cluster: string, home: string, account: Account | null, elsewhere: string | null): EmbeddedPlace {
  const wanted = join(home, 'run')
  const fits = Buffer.byteLength(wanted) <= LONGEST_SOCKET_FOLDER
  const sockets = fits ? wanted : join(tmpdir(), `trainyard-${shortName(home)}`)
  return {
    cluster,
    sockets,
    home,
    log: join(home, 'logs', 'postgres.log'),
    account,
    url: socketUrl(sockets, 'trainyard', 'trainyard'),
    superuserUrl: socketUrl(sockets, 'postgres', 'postgres'),
    elsewhere,
  }
}

/** Connection string of a database behind a socket folder, in the form that node-postgres and libpq both read. */
export function socketUrl(sockets: string, user: string, database: string): string {
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

/** Tells whether a data folder has a database. */
export const hasCluster = (dataDir: string): boolean => isCluster(embeddedPlace(dataDir).cluster)
