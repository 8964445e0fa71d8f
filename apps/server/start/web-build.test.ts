import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildWebIfNeeded } from './web-build.ts'

/** A build script that writes its pages one after the other with delays. */
const BUILD = `
const { mkdirSync, writeFileSync } = require('node:fs')
mkdirSync(process.env.WEB_OUT)
writeFileSync(process.env.WEB_OUT + '/app.html', 'app')
setTimeout(() => writeFileSync(process.env.WEB_OUT + '/login.html', 'login'), 300)
`

test('replaces a build atomically and leaves no temporary files', async ({ onTestFinished }) => {
  const root = mkdtempSync(join(tmpdir(), 'trainyard-build-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'apps/web'), { recursive: true })
  mkdirSync(join(root, 'node_modules/vite'), { recursive: true })
  const workspace = { name: 'web', version: '1.0.0', scripts: { build: 'node build.cjs' } }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'root', workspaces: ['apps/web'] }))
  writeFileSync(join(root, 'apps/web/package.json'), JSON.stringify(workspace))
  writeFileSync(join(root, 'apps/web/build.cjs'), BUILD)
  const dist = join(root, 'apps/web/dist')
  const pages = () => readdirSync(dist).filter((name) => name.endsWith('.html'))

  await buildWebIfNeeded(root)
  expect(pages()).toEqual(['app.html', 'login.html'])
  const stampOf = () => readFileSync(join(dist, '.built-from'), 'utf8')
  const stamps = [stampOf()]
  const seen = new Set<string>()
  const polling = setInterval(() => {
    if (existsSync(dist)) seen.add(pages().join())
  }, 1)
  mkdirSync(join(root, 'apps/modules'), { recursive: true })
  for (const file of ['apps/web/new.ts', 'apps/modules/web.ts']) {
    writeFileSync(join(root, file), 'export const now = 1')
    await buildWebIfNeeded(root)
    stamps.push(stampOf())
  }
  clearInterval(polling)
  expect([...seen]).toEqual(['app.html,login.html'])
  expect(new Set(stamps).size).toBe(3)
  expect(readdirSync(join(root, 'apps/web')).toSorted()).toEqual(['build.cjs', 'dist', 'new.ts', 'package.json'])

  // Without build tools, as in an image, the build stays.
  rmSync(join(root, 'node_modules/vite'), { recursive: true })
  writeFileSync(join(root, 'apps/web/new.ts'), 'export const now = 2')
  await buildWebIfNeeded(root)
  expect(stampOf()).toBe(stamps.at(-1))
})
