import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makePrivateFolder, PRIVATE_FILE } from '../../run/files/private-folder.ts'
import type { Binaries } from './binaries.ts'
import { runAs } from './cluster.ts'
import type { EmbeddedPlace } from './place.ts'

const settings = {
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

function openLog(file: string): number {
  makePrivateFolder(dirname(file))
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', PRIVATE_FILE)
}

/** The running PostgreSQL server. It continues to run when this process ends. */
export interface Postmaster {
  ended(): string | null
}

export function startPostmaster(
  place: EmbeddedPlace,
  binaries: Binaries,
  extra: Readonly<Record<string, string>>,
): Postmaster {
  const options = Object.entries({ ...settings, unix_socket_directories: quoted(place.sockets), ...extra })
  const log = openLog(place.log)
  const child = spawn(
    binaries.postgres,
    ['-D', place.cluster, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...runAs(place.osUser),
      cwd: '/',
      // A separate session, so that Ctrl-C signals only this process. The database is stopped after its clients.
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' },
    },
  )
  closeSync(log)
  child.unref()
  let end: string | null = null
  child.on('exit', (code, signal) => (end = signal ?? `code ${code}`))
  child.on('error', (error) => (end = error.message))
  return { ended: () => end }
}

/** Returns the recorded process ID. It may be stale or belong to another program. */
export function recordedPid(cluster: string): number | null {
  const pid = Number.parseInt(lockFileOf(cluster) ?? '', 10)
  return pid > 0 ? pid : null
}

function lockFileOf(cluster: string): string | null {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
  } catch {
    return null
  }
}

/**
 * Returns the processes of a cluster. Every PostgreSQL process has the cluster's folder as its working folder. Returns
 * null without /proc.
 */
export function processesIn(cluster: string): number[] | null {
  if (!existsSync('/proc/self/cwd')) return null
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster
      } catch {
        return false
      }
    })
    .map(Number)
}

/**
 * Deletes a stale process ID file. After a kill, the next start would fail if the recorded ID belonged to another
 * program of the user.
 */
export function removeStalePid(cluster: string): void {
  const left = lockFileOf(cluster)
  if (left === null || processesIn(cluster)?.length !== 0 || lockFileOf(cluster) !== left) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

/** Milliseconds without progress after which PostgreSQL is considered stuck. */
const STUCK_MS = 30_000
const LOOK_MS = 500
const SAY_MS = 5_000

/**
 * Detects whether PostgreSQL makes progress while it starts or stops. Recovery and the last checkpoint may take
 * minutes.
 */
export class ProgressWatch {
  readonly #cluster: string
  readonly #began = Date.now()
  readonly #logMessage: (seconds: number) => void
  #seen = ''
  #progressAt = Date.now()
  #lookedAt = 0
  #saidAt = Date.now()

  /** @param logMessage receives the elapsed seconds every 5 s */
  constructor(cluster: string, logMessage: (seconds: number) => void) {
    this.#cluster = cluster
    this.#logMessage = logMessage
  }

  /** Returns true if no process of the cluster has worked for 30 s. */
  isStuck(): boolean {
    const now = Date.now()
    if (now - this.#lookedAt >= LOOK_MS) {
      this.#lookedAt = now
      const seen = workOf(this.#cluster)
      if (seen !== this.#seen) this.#progressAt = now
      this.#seen = seen
    }
    if (now - this.#saidAt >= SAY_MS) {
      this.#saidAt = now
      this.#logMessage(Math.round((now - this.#began) / 1_000))
    }
    return now - this.#progressAt > STUCK_MS
  }
}

/**
 * Returns the processes of a cluster, each with its CPU time and the bytes that it has written. Without /proc the
 * result never changes.
 */
function workOf(cluster: string): string {
  return (processesIn(cluster) ?? [])
    .map((pid) => {
      const read = (file: string) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8')
        } catch {
          return ''
        }
      }
      // The 14th and 15th fields of the line. Counting starts after the program's name, because the name may contain
      // spaces.
      const cpu = read('stat').split(') ').at(-1)!.split(' ').slice(11, 13).join(' ')
      return `${pid} ${cpu} ${/^write_bytes: (\d+)/m.exec(read('io'))?.[1] ?? ''}`
    })
    .join('\n')
}

/**
 * Stops the postmaster, which rolls back open transactions. Waits while PostgreSQL makes progress, because the next
 * start after a forced stop must recover the database. Forces the stop only if PostgreSQL is stuck.
 * @param logMessage reports a stop that takes longer than 5 s
 */
export async function stopPostmaster(
  cluster: string,
  logMessage: (sentence: string) => void = () => undefined,
): Promise<void> {
  const pid = recordedPid(cluster)
  if (pid === null) return
  const watch = new ProgressWatch(cluster, (seconds) =>
    logMessage(`PostgreSQL is still stopping after ${seconds} s. It writes its data to disk. Waiting for it.`),
  )
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const members = processesIn(cluster)
    if (members !== null && !members.includes(pid)) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    if (signal !== 'SIGINT')
      logMessage('PostgreSQL makes no progress and is stopped by force. The next start recovers its data.')
    const until = Date.now() + 1_000
    while (signal === 'SIGINT' ? !watch.isStuck() : Date.now() < until) {
      if (recordedPid(cluster) !== pid) return
      await pause(15)
    }
  }
}

export function logTail(place: EmbeddedPlace): string {
  try {
    return readFileSync(place.log, 'utf8').trimEnd().split('\n').slice(-4).join('\n')
  } catch {
    return ''
  }
}

/** Quotes a path. PostgreSQL reads this setting as a list separated by commas. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
