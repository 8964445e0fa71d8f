import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DataInUse, type Holder, lockFolder } from '../../run/files/folder-lock.ts'
import { makePrivateFolder, PRIVATE_FILE, restrictDataFolder } from '../../run/files/private-folder.ts'
import { NoDatabase } from '../no-database.ts'
import { createCluster, endProcessesIn, makeSocketFolder, POSTGRES_ENVIRONMENT, programFolder } from './cluster.ts'
import { finishReplacement, requireOwnMajor } from './other-major.ts'
import { embeddedPlace, type EmbeddedPlace, runAs } from './place.ts'

export interface Embedded {
  readonly url: string
  readonly superuserUrl: string
  readonly elsewhere: string | null
  /** Resolves when PostgreSQL has ended without `stop`. The data folder is then unlocked. */
  readonly lost: Promise<void>
  /**
   * @param logMessage reports a stop that takes longer than 5 s
   * @param whileLocked is called when PostgreSQL has ended, before the data folder is unlocked
   * @throws NoDatabase if PostgreSQL had ended before, and `whileLocked` could not be called
   */
  stop(logMessage?: LogMessage, whileLocked?: () => void): Promise<void>
}

type LogMessage = (sentence: string) => void

/** Settings on the command line, which override those in the cluster's files. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
}

/** Size in bytes above which a start begins a new log. One previous file is retained. */
const MAX_LOG_BYTES = 10_000_000
const REPORT_MS = 5_000

/**
 * Locks the data folder, and creates and starts its PostgreSQL.
 * @param extra PostgreSQL settings in addition to the portal's settings
 * @param logMessage reports a start that takes longer than 5 s
 * @param programsOfMajor folder of PostgreSQL's programs. Default: those of this version
 * @throws DataInUse if a running process holds the folder
 */
export async function startEmbedded(
  dataDir: string,
  extra: Readonly<Record<string, string>> = {},
  as: Holder = 'portal',
  logMessage: LogMessage = () => undefined,
  programsOfMajor: string | null = null,
): Promise<Embedded> {
  const place = embeddedPlace(dataDir)
  makeFolders(place, dataDir)
  const { unlock } = await lockFolder(dataDir, as)
  try {
    const programs = programsOfMajor ?? programFolder(place.osUser)
    finishReplacement(place)
    if (programsOfMajor === null) requireOwnMajor(place)
    await createCluster(place, programs)
    makeSocketFolder(place)
    const server = await reporting(
      startServer(place, programs, extra, dataDir),
      (seconds) =>
        `PostgreSQL is still starting after ${seconds} s, for example because it recovers after a power failure. ` +
        `Waiting for it. Log: ${place.log}`,
      logMessage,
    )
    let atEnd: (() => void) | null = null
    let hasEnded = false
    const unlocked = server.ended
      .then(() => {
        hasEnded = true
        atEnd?.()
      })
      .finally(unlock)
    // What \`atEnd\` throws is for \`stop\`.
    const lost = unlocked.catch(() => undefined).then(() => (atEnd ? new Promise<void>(() => undefined) : undefined))
    return {
      url: place.url,
      superuserUrl: place.superuserUrl,
      elsewhere: place.elsewhere,
      lost,
      async stop(report = logMessage, whileLocked) {
        if (hasEnded && whileLocked !== undefined) throw new NoDatabase(`PostgreSQL ended. Its log: ${place.log}`)
        atEnd = whileLocked ?? (() => undefined)
        server.stop()
        const sentence = (seconds: number) =>
          `PostgreSQL is still stopping after ${seconds} s. It writes its data to disk. Waiting for it.`
        await reporting(unlocked, sentence, report)
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Starts the data folder's database for one command, which stops it at the end. Returns null if a portal is running on
 * the database. If another command is using the database, waits without a limit, because that command stops the
 * database when it ends.
 * @param logMessage reports the wait once, and each start or stop that takes longer than 5 s
 */
export async function startForCommand(dataDir: string, logMessage: LogMessage): Promise<Embedded | null> {
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      return await startEmbedded(dataDir, {}, 'command', logMessage)
    } catch (error) {
      if (!(error instanceof DataInUse)) throw error
      if (error.by === 'portal') return null
      if (!isWaiting) logMessage('Another command is using the database. Waiting until it has ended.')
    }
    await pause(100)
  }
}

function makeFolders(place: EmbeddedPlace, dataDir: string): void {
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
}

interface Server {
  readonly ended: Promise<unknown>
  /** Rolls back open transactions and ends PostgreSQL. */
  stop(): void
}

/** Starts PostgreSQL. Waits as long as its process runs, because recovery may take minutes. */
async function startServer(
  place: EmbeddedPlace,
  programs: string,
  extra: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<Server> {
  await endProcessesIn(place.cluster)
  const other = await connect(place)
  if (other !== null) {
    // A server that this process cannot see, such as one in another container.
    if (other !== 'not ready') await other.end()
    throw new DataInUse(dataDir, 'portal', null)
  }
  // After a kill, the process ID in the lock file may belong to another program, and PostgreSQL would not start.
  if (process.platform === 'linux') rmSync(join(place.cluster, 'postmaster.pid'), { force: true })
  const child = spawnServer(place, programs, extra)
  const running = new AbortController()
  const ended = once(child, 'exit')
    .then(
      ([code, signal]) => String(signal ?? `code ${code}`),
      ({ message }: Error) => message,
    )
    .finally(() => running.abort())
  const server: Server = { ended, stop: () => void child.kill('SIGINT') }
  while (!running.signal.aborted) {
    const client = await connect(place)
    if (client === null || client === 'not ready') {
      await pause(20)
      continue
    }
    try {
      await createDatabase(client)
      return server
    } catch (error) {
      server.stop()
      await ended
      throw error
    } finally {
      await client.end()
    }
  }
  throw new NoDatabase(
    `PostgreSQL did not start (${await ended}). Its log ${place.log} says:\n` +
      readFileSync(place.log, 'utf8').trimEnd().split('\n').slice(-4).join('\n'),
  )
}

function spawnServer(
  { cluster, sockets, log, osUser }: EmbeddedPlace,
  programs: string,
  extra: Readonly<Record<string, string>>,
): ChildProcess {
  // PostgreSQL reads the folder as a list separated by commas.
  const settings = { ...SETTINGS, unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`, ...extra }
  makePrivateFolder(dirname(log))
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(log, `${log}.1`)
  const output = openSync(log, 'a', PRIVATE_FILE)
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...runAs(osUser),
      cwd: '/',
      // A separate session, so that Ctrl-C signals only this process. The database is stopped after its clients.
      detached: true,
      stdio: ['ignore', output, output],
      env: POSTGRES_ENVIRONMENT,
    },
  )
  closeSync(output)
  child.unref()
  return child
}

/** Returns null if no server listens for this cluster, or 'not ready' if it is starting, stopping or silent. */
async function connect({ superuserUrl }: EmbeddedPlace): Promise<pg.Client | 'not ready' | null> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    return ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '') ? null : 'not ready'
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

/** Waits for the work, and reports it every 5 s. */
async function reporting<T>(
  work: Promise<T>,
  sentence: (seconds: number) => string,
  logMessage: LogMessage,
): Promise<T> {
  const began = Date.now()
  const timer = setInterval(() => logMessage(sentence(Math.round((Date.now() - began) / 1_000))), REPORT_MS)
  return work.finally(() => clearInterval(timer))
}
