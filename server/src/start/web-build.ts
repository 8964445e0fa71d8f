import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the web app is made from; a change in any of it makes the built one old. */
const sources = ['web', 'contract/src', 'package-lock.json']
const notSources = new Set(['dist', 'node_modules'])

/** Builds web/dist when it is missing or made from other sources. @throws when the build fails, with its words */
export async function buildWebIfNeeded(root: string, onBuild: () => void = () => undefined): Promise<void> {
  const stamp = join(root, 'web', 'dist', '.built-from')
  const wanted = hashOf(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  onBuild()
  await run('npm', ['run', 'build', '--workspace', 'web'], root)
  writeFileSync(stamp, wanted)
}

/** Whether there is a built web app at all, perhaps an old one. */
export const webIsBuilt = (root: string): boolean => existsSync(join(root, 'web', 'dist', '.built-from'))

function hashOf(root: string): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(root, source))) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return []
  if (path.endsWith('.json')) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !notSources.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = `${path}/${entry.name}`
      return entry.isDirectory() ? filesIn(root, inside) : [inside]
    })
}

function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: Buffer[] = []
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(Buffer.concat(said).toString('utf8').trim()))
    })
  })
}
