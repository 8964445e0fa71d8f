import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Workspaces that `npm run build` bundles. */
export type BundleName = 'server' | 'emulator'

const SOURCES = ['apps', 'platform', 'core', 'addons']

/** Returns the entry file of a bundle of the current sources, or null if there is none. */
export function bundleOf(root: string, name: BundleName): string | null {
  const entry = join(bundleFolder(root, name), 'main.js')
  return existsSync(entry) ? entry : null
}

/**
 * Returns the folder of a bundle. Each state of the sources has a separate folder, because a running process imports
 * further files later.
 */
export const bundleFolder = (root: string, name: BundleName): string =>
  join(root, 'apps', name, 'dist', stateOfSources(root))

/**
 * Returns a hash of the names, sizes and modification times of the source files, because reading the files would take
 * longer. Times are in whole seconds, because the layers of an image may not store fractions.
 */
function stateOfSources(root: string): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const files = readdirSync(join(root, source), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
      .filter(({ parentPath }) => !/[/\\](?:node_modules|dist|web)(?:[/\\]|$)/.test(parentPath))
      .map(({ parentPath, name }) => join(parentPath, name))
    for (const file of files.toSorted()) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${file.slice(root.length)}\0${size}\0${Math.floor(mtimeMs / 1_000)}\0`)
    }
  }
  hash.update(readFileSync(join(root, 'package-lock.json')))
  return hash.digest('hex').slice(0, 16)
}
