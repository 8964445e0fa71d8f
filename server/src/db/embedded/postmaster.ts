import { spawn } from 'node:child_process'
import { closeSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLog } from '../../files/closed-log.ts'
import type { Binaries } from './binaries.ts'
import { as } from './cluster.ts'
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

/** A started postmaster: it lives on when this process ends, as its data and its other users may need it. */
export interface Postmaster {
  /** Says how it ended, once it has. */
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
      ...as(place.account),
      cwd: '/',
      // Its own session: Ctrl-C in the terminal is for us; we stop the database after its users.
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

/** The pid in the cluster's own lock file, or null. It may be stale, or another program's by now. */
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
 * Processes at work in the cluster's folder, which every PostgreSQL process has as its working folder. Null where the
 * system has no /proc.
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
 * A postmaster.pid left by a kill or a power cut stops the next start when its number now belongs to another program
 * of the same account. Once nothing works in the folder it is removed; never one that another start writes just then.
 */
export function removeStalePid(cluster: string): void {
  const left = lockFileOf(cluster)
  if (left === null || processesIn(cluster)?.length !== 0 || lockFileOf(cluster) !== left) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

/** Stops it: politely first (open transactions are rolled back), by force after `patience` ms. */
export async function stopPostmaster(cluster: string, patience = 3_000): Promise<void> {
  const pid = recordedPid(cluster)
  if (pid === null) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const members = processesIn(cluster)
    if (members !== null && !members.includes(pid)) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const until = Date.now() + (signal === 'SIGINT' ? patience : 1_000)
    while (Date.now() < until) {
      if (recordedPid(cluster) !== pid) return
      await pause(15)
    }
  }
}

/** The last lines of the log, for the sentence that says why it did not start. */
export function lastWords(place: EmbeddedPlace): string {
  try {
    return readFileSync(place.log, 'utf8').trimEnd().split('\n').slice(-4).join('\n')
  } catch {
    return ''
  }
}

/** PostgreSQL reads this setting as a list of names; quotes keep commas and blanks in a path together. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
