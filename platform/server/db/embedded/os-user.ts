import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { NoDatabase } from '../no-database.ts'

export interface OsUser {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

/** PostgreSQL refuses to run as root. */
export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Returns the user that runs PostgreSQL; null: the user of this process. Root uses the folder's owner, otherwise
 * the first existing user of the names below.
 */
export function osUserFor(cluster: string): OsUser | null {
  if (!isRoot()) return null
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: nameOf(owner.uid) }
  for (const name of ['postgres', 'nobody']) {
    const found = accountNamed(name)
    if (found !== null) return found
  }
  throw new NoDatabase(
    'PostgreSQL does not run as root, and this machine has no account named postgres or nobody. ' +
      'Start as an ordinary user, or set DATABASE_URL.',
  )
}

/** Cache of the answers, because each query starts a process. */
const answers = new Map<string, string>()

function idOf(flag: string, osUser: string): string {
  const question = `${flag} ${osUser}`
  const known = answers.get(question)
  if (known !== undefined) return known
  const answer = execFileSync('id', [flag, osUser], { encoding: 'utf8', stdio: 'pipe' }).trim()
  answers.set(question, answer)
  return answer
}

function accountNamed(name: string): OsUser | null {
  try {
    return { uid: Number(idOf('-u', name)), gid: Number(idOf('-g', name)), name }
  } catch {
    return null
  }
}

function nameOf(uid: number): string {
  try {
    return idOf('-un', String(uid))
  } catch {
    return `with uid ${uid}`
  }
}

export function canEnter(osUser: OsUser, folder: string): boolean {
  const tried = spawnSync('test', ['-x', folder], { uid: osUser.uid, gid: osUser.gid, cwd: '/', stdio: 'ignore' })
  return tried.status === 0
}
