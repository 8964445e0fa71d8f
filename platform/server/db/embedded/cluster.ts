import { execFile } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoDatabase } from '../no-database.ts'
import type { OsUser } from './os-user.ts'
import type { Binaries } from './binaries.ts'
import type { EmbeddedPlace } from './place.ts'

const run = promisify(execFile)

/** Creates the cluster. If several processes try at the same time, one succeeds and the others use its folder. */
export async function createCluster(place: EmbeddedPlace, binaries: Binaries): Promise<void> {
  if (existsSync(join(place.cluster, 'PG_VERSION'))) return checkOwner(place)
  const draft = mkdtempSync(join(place.home, 'postgres-new-'))
  setOwner(draft, place.osUser)
  try {
    await run(
      binaries.initdb,
      ['--pgdata', draft, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale'].concat([
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
        '--no-instructions',
      ]),
      { ...runAs(place.osUser), cwd: '/', env: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' } },
    )
    // A folder with the final name is always complete. If the process is killed, only temporary folders remain.
    renameSync(draft, place.cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(place.cluster, 'PG_VERSION'))) {
      const output = (error as { stderr?: string }).stderr?.trim()
      throw new NoDatabase(
        `The database's folder ${place.cluster} cannot be created. ${output ?? (error as Error).message}`,
        {
          cause: error,
        },
      )
    }
  }
}

export function makeSocketFolder(place: EmbeddedPlace): void {
  mkdirSync(place.sockets, { recursive: true, mode: 0o700 })
  const owner = statSync(place.sockets).uid
  const ownUserIds = [process.getuid?.(), place.osUser?.uid]
  if (!ownUserIds.includes(owner))
    throw new NoDatabase(`${place.sockets} belongs to another account (uid ${owner}). Remove it.`)
  setOwner(place.sockets, place.osUser)
  chmodSync(place.sockets, 0o700)
}

export function runAs(osUser: OsUser | null): { uid?: number; gid?: number } {
  return osUser === null ? {} : { uid: osUser.uid, gid: osUser.gid }
}

function setOwner(folder: string, osUser: OsUser | null): void {
  if (osUser !== null) chownSync(folder, osUser.uid, osUser.gid)
}

function checkOwner(place: EmbeddedPlace): void {
  const owner = statSync(place.cluster).uid
  const runner = place.osUser?.uid ?? process.getuid?.()
  if (runner === undefined || owner === runner) return
  throw new NoDatabase(
    `${place.cluster} belongs to another account (uid ${owner}), perhaps from a start as root. ` +
      'Start the same way again, or give the data folder to this account with chown -R.',
  )
}
