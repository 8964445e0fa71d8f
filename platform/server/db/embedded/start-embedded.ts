import { realpathSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { restrictDataFolder } from '../../run/files/private-folder.ts'
import { isDatabaseLost } from '../lost.ts'
import { NoDatabase } from '../no-database.ts'
import { findBinaries } from './binaries.ts'
import { createCluster, makeSocketFolder } from './cluster.ts'
import { embeddedPlace, type EmbeddedPlace } from './place.ts'
import {
  logTail,
  processesIn,
  ProgressWatch,
  recordedPid,
  removeStalePid,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'

export interface Embedded {
  readonly url: string
  readonly superuserUrl: string
  /** True if PostgreSQL was already running because the process that started it died. */
  readonly adopted: boolean
  readonly elsewhere: string | null
  readonly lost: Promise<void>
  /** @param logMessage reports a stop that takes longer than 5 s */
  stop(logMessage?: (sentence: string) => void): Promise<void>
}

/** Kind of process that holds the database: a portal holds it while it runs, a command until its work is done. */
export type Holder = 'portal' | 'command'

export class DataInUse extends Error {
  override readonly name = 'DataInUse'
  readonly by: Holder

  constructor(message: string, by: Holder, options?: ErrorOptions) {
    super(message, options)
    this.by = by
  }
}

/** ID of the advisory lock. Only the process that holds the lock may stop the cluster. */
const LOCK = 7_246_310_001
/** Time limit in milliseconds for starting the cluster again if it stops right after the connection. */
const RETRY_LIMIT = 20_000

/**
 * Creates, starts or adopts the PostgreSQL of the data folder and acquires its lock.
 * @param extra PostgreSQL settings in addition to the portal's settings
 * @param logMessage reports a start that takes longer than 5 s
 * @throws DataInUse if a running process holds the lock
 */
export async function startEmbedded(
  dataDir: string,
  extra: Readonly<Record<string, string>> = {},
  as: Holder = 'portal',
  logMessage: (sentence: string) => void = () => undefined,
): Promise<Embedded> {
  const place = embeddedPlace(dataDir)
  try {
    if (place.home !== dataDir) restrictDataFolder(dataDir, null)
    restrictDataFolder(place.home, place.osUser?.gid ?? null)
  } catch (error) {
    throw new NoDatabase(
      `${dataDir} cannot be created or made private: ${(error as Error).message}. ` +
        'Set TRAINYARD_DATA to a folder of your own.',
      { cause: error },
    )
  }
  const { holder, adopted } = await acquire(place, extra, { dataDir, as, logMessage })
  // From here on no other process stops the cluster.
  let stopping = false
  const lost = new Promise<void>((resolve) => {
    holder.on('end', () => stopping || resolve())
  })
  holder.on('error', () => undefined)
  try {
    if (extra['fsync'] !== 'off') await assertDurable(holder)
    await createDatabase(holder)
  } catch (error) {
    stopping = true
    await holder.end()
    throw error
  }
  return {
    url: place.url,
    superuserUrl: place.superuserUrl,
    adopted,
    elsewhere: place.elsewhere,
    lost,
    async stop(sayMore = logMessage) {
      stopping = true
      // Stops the cluster while the lock is held, so that no other process adopts a cluster that is about to stop.
      await stopPostmaster(realpathSync(place.cluster), sayMore)
      await holder.end().catch(() => undefined)
    },
  }
}

interface Starting {
  readonly dataDir: string
  readonly as: Holder
  readonly logMessage: (sentence: string) => void
}

/** Starts the cluster. Waits as long as a process of the cluster makes progress, because recovery may take minutes. */
async function start(
  place: EmbeddedPlace,
  extra: Readonly<Record<string, string>>,
  { as, logMessage }: Starting,
): Promise<pg.Client> {
  const binaries = findBinaries(place.osUser)
  await createCluster(place, binaries)
  makeSocketFolder(place)
  const cluster = realpathSync(place.cluster)
  const watch = new ProgressWatch(cluster, (seconds) =>
    logMessage(
      `PostgreSQL is still starting after ${seconds} s, for example because it recovers after a power failure. ` +
        `Waiting for it. Log: ${place.log}`,
    ),
  )
  while (!watch.isStuck()) {
    // The postmaster is stopping, or another process is starting it. Wait for the outcome.
    if (processesIn(cluster)?.length) {
      const client = await connect(place, as)
      if (client !== null) return client
      await pause(20)
      continue
    }
    removeStalePid(cluster)
    const postmaster = startPostmaster(place, binaries, extra)
    while (postmaster.ended() === null && !watch.isStuck()) {
      const client = await connect(place, as)
      if (client !== null) return client
      await pause(10)
    }
    // If a process ID is recorded, another process was faster. Otherwise PostgreSQL's log contains the reason.
    await pause(50)
    if (recordedPid(cluster) === null) {
      throw new NoDatabase(
        `PostgreSQL did not start (${postmaster.ended()}). Its log ${place.log} says:\n${logTail(place)}`,
      )
    }
  }
  throw new NoDatabase(
    `PostgreSQL makes no progress and does not answer. Its log ${place.log} says:\n${logTail(place)}`,
  )
}

/** Returns null if this cluster does not answer. */
async function connect(place: EmbeddedPlace, as: Holder): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString: place.superuserUrl,
    application_name: `trainyard ${as} ${process.pid}`,
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch {
    await client.end().catch(() => undefined)
    return null
  }
}

/** @throws DataInUse */
async function acquire(
  place: EmbeddedPlace,
  extra: Readonly<Record<string, string>>,
  starting: Starting,
): Promise<{ readonly holder: pg.Client; readonly adopted: boolean }> {
  const { dataDir, as } = starting
  for (const until = Date.now() + RETRY_LIMIT; ;) {
    const found = await connect(place, as)
    const client = found ?? (await start(place, extra, starting))
    try {
      const other = await tryLock(client)
      if (other === null) return { holder: client, adopted: found !== null }
      await client.end()
      throw inUse(dataDir, other)
    } catch (error) {
      // The holder stopped the cluster after this process had connected. Start the cluster here.
      if (!isDatabaseLost(error) || Date.now() > until) throw error
      await client.end().catch(() => undefined)
    }
  }
}

/** Tries to acquire the lock. Returns null if it succeeds, otherwise the name of the connection that holds it. */
async function tryLock(client: pg.Client): Promise<string | null> {
  // PostgreSQL may take a moment to notice that a killed holder died.
  for (let attempt = 0; attempt < 10; attempt++) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK])
    if (rows[0]?.held) return null
    await pause(30)
  }
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and ((classid::int8 << 32) | objid::int8) = $1`,
    [LOCK],
  )
  return rows[0]?.application_name ?? ''
}

function inUse(dataDir: string, connection: string): DataInUse {
  // A portal of an older version records only its process ID.
  const [, by = 'portal', pid] = /^trainyard (?:(command|portal) )?([0-9]+)$/.exec(connection) ?? []
  const process = pid === undefined ? 'another process' : `process ${pid}`
  // A holder that released the lock in the meantime was a command, so the next attempt succeeds.
  return by === 'portal' && pid !== undefined
    ? new DataInUse(
        `${dataDir} is in use by ${process}: Trainyard is already running there. ` +
          'Stop it first, or use another data folder: TRAINYARD_DATA=FOLDER.',
        'portal',
      )
    : new DataInUse(`${dataDir} is in use by ${process}, a command. Try again when it has ended.`, 'command')
}

/** @throws NoDatabase if a setting would lose acknowledged writes in a power cut */
async function assertDurable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  const off = rows.filter((row) => row.setting !== 'on')
  if (off.length > 0) {
    throw new NoDatabase(
      `PostgreSQL must run with ${off.map((row) => `${row.name} on (it is ${row.setting})`).join(', ')}.`,
    )
  }
}

/**
 * Creates the database and its owner. As on an operator's own server, the owner is not a superuser and creates the
 * app's role.
 */
async function createDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `select exists(select from pg_roles where rolname = 'trainyard') as role,
            exists(select from pg_database where datname = 'trainyard') as database`,
  )
  if (!rows[0]?.role) await client.query('create role trainyard login createrole')
  if (!rows[0]?.database) await client.query('create database trainyard owner trainyard')
}
