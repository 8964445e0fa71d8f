import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  mkdirSync(join(root, 'web'))
  const workspace = { name: 'web', version: '1.0.0', scripts: { build: 'node build.cjs' } }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'root', workspaces: ['web'] }))
  writeFileSync(join(root, 'web/package.json'), JSON.stringify(workspace))
  writeFileSync(join(root, 'web/build.cjs'), BUILD)
  const dist = join(root, 'web/dist')
  const pages = () => readdirSync(dist).filter((name) => name.endsWith('.html'))

  await buildWebIfNeeded(root)
  expect(pages()).toEqual(['app.html', 'login.html'])
  cpSync(dist, join(root, 'first'), { recursive: true })
  writeFileSync(join(root, 'web/new.ts'), 'export const now = 1')

  const seen = new Set<string>()
  const polling = setInterval(() => {
    if (existsSync(dist)) seen.add(pages().join())
  }, 1)
  await buildWebIfNeeded(root)
  clearInterval(polling)
  expect([...seen]).toEqual(['app.html,login.html'])
  expect(readFileSync(join(dist, '.built-from'), 'utf8')).not.toBe(
    readFileSync(join(root, 'first/.built-from'), 'utf8'),
  )
  expect(readdirSync(join(root, 'web')).toSorted()).toEqual(['build.cjs', 'dist', 'new.ts', 'package.json'])
})
