import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist')
const manifestOf = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>

// The package contains one file without dependencies, so that npx starts it at once.
rmSync(folder, { recursive: true, force: true })
await build({
  input: join(root, 'cli/main.ts'),
  platform: 'node',
  // Optional native parts of ws.
  external: ['bufferutil', 'utf-8-validate'],
  logLevel: 'warn',
  checks: { eval: false },
  output: {
    file: join(folder, 'trainyard.js'),
    format: 'esm',
    minify: { mangle: false, codegen: true, compress: true },
  },
})
chmodSync(join(folder, 'trainyard.js'), 0o755)
const published = {
  name: 'trainyard',
  version: manifestOf('../../package.json')['version'],
  description: manifestOf('package.json')['description'],
  license: 'UNLICENSED',
  type: 'module',
  bin: { trainyard: 'trainyard.js' },
  engines: { node: '>=22.12' },
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
