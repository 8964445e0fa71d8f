import { spawn } from 'node:child_process'
import { closeSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLog } from '../../files/private-log.ts'
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

/** Continues to run when this process ends. */
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
      ...runAs(place.account),
      cwd: '/',
      // A separate session, so that Ctrl-C reaches only us: the database is stopped after its clients.
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

/** May be stale or belong to another program. */
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

/** By working folder, which is the cluster's for every PostgreSQL process. Null without /proc. */
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

/** After a kill the next start would fail if the stale number belonged to another program of the account. */
export function removeStalePid(cluster: string): void {
  const left = lockFileOf(cluster)
  if (left === null || processesIn(cluster)?.length !== 0 || lockFileOf(cluster) !== left) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

/** First with rollback of open transactions, then by force after `patience` ms. */
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

export function logTail(place: EmbeddedPlace): string {
  try {
    return readFileSync(place.log, 'utf8').trimEnd().split('\n').slice(-4).join('\n')
  } catch {
    return ''
  }
}

/** PostgreSQL reads this setting as a list separated by commas. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
