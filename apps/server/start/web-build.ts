import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentWith } from '@trainyard/platform/server/config/config.ts'

const sources = ['apps/web', 'apps/modules', 'platform', 'core', 'addons', 'package-lock.json']
const WEB = 'apps/web'
const notSources = /^(dist.*|node_modules|server|emulator|test|cli)$/

/**
 * Builds the web app if needed. Replaces the old build only when the new one is complete, because another portal may
 * serve it.
 * @throws Error with the build's output
 */
export async function buildWebIfNeeded(root: string, onBuild: () => void = () => undefined): Promise<void> {
  const dist = join(root, WEB, 'dist')
  const wantedHash = hashOf(root)
  const isBuilt = () => {
    const stamp = join(dist, STAMP)
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === wantedHash
  }
  // An image has the build of its sources, and no tools to build them.
  if (isBuilt() || (webIsBuilt(root) && !existsSync(join(root, 'node_modules/vite')))) return
  onBuild()
  const next = `dist.${process.pid}`
  const nextFolder = join(root, WEB, next)
  try {
    await run('npm', ['run', 'build', '--workspace', WEB], root, environmentWith({ WEB_OUT: next }))
    writeFileSync(join(nextFolder, STAMP), wantedHash)
    if (isBuilt()) return
    if (existsSync(dist)) renameSync(dist, `${nextFolder}.old`)
    renameSync(nextFolder, dist)
  } finally {
    for (const folder of [nextFolder, `${nextFolder}.old`]) rmSync(folder, { recursive: true, force: true })
  }
}

const STAMP = '.built-from'

export const webIsBuilt = (root: string): boolean => existsSync(join(root, WEB, 'dist', STAMP))

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
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !notSources.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const childPath = `${path}/${entry.name}`
      return entry.isDirectory() ? filesIn(root, childPath) : [childPath]
    })
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = []
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(Buffer.concat(output).toString('utf8').trim()))
    })
  })
}
