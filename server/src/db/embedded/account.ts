import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** The operating system's account that the embedded PostgreSQL runs under. */
export interface Account {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

/** True when we are root, which PostgreSQL refuses to run as. */
export const weAreRoot = (): boolean => process.getuid?.() === 0

/**
 * Returns the account that runs PostgreSQL: null for ourselves. For root it is the folder's owner, else `postgres`,
 * else `nobody`.
 */
export function accountFor(cluster: string): Account | null {
  if (!weAreRoot()) return null
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: nameOf(owner.uid) }
  for (const name of ['postgres', 'nobody']) {
    const found = lookUp(name)
    if (found !== null) return found
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has no account named postgres or nobody. ' +
      'Start as an ordinary user, or set DATABASE_URL.',
  )
}

function lookUp(name: string): Account | null {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }).trim())
    return { uid: id('-u'), gid: id('-g'), name }
  } catch {
    return null
  }
}

function nameOf(uid: number): string {
  try {
    return execFileSync('id', ['-un', String(uid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return `with uid ${uid}`
  }
}

/** Returns true when the account can enter the folder. The system itself is asked, by trying it as that account. */
export function canEnter(account: Account, folder: string): boolean {
  const tried = spawnSync('test', ['-x', folder], { uid: account.uid, gid: account.gid, cwd: '/', stdio: 'ignore' })
  return tried.status === 0
}
