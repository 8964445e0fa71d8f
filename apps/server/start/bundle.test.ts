import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { buildBundlesIfNeeded } from './build-bundles.ts'
import { bundleOf } from './bundle.ts'

test('runs the bundle of the current sources, finds files next to them, and maps errors to their lines', async ({
  onTestFinished,
}) => {
  const root = `${mkdtempSync(join(tmpdir(), 'trainyard-bundle-'))}/`
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const run = (entry: string) =>
    execFileSync(process.execPath, ['--enable-source-maps', entry], { encoding: 'utf8' }).trim()
  write('package-lock.json', '{}')
  write('addons/empty.ts', '')
  write('apps/list.ts', '')
  write('platform/word.ts', 'export const word: string = "one"\n')
  write('apps/emulator/main.ts', 'console.log("emulator")\n')
  write('core/place.ts', 'export const place: string = new URL("data.txt", import.meta.url).href\n')
  write(
    'apps/server/run.ts',
    `import { place } from '../../core/place.ts'
import { word } from '../../platform/word.ts'
console.log(word, place, new Error('here').stack!.split('\\n')[1]!.replace(/.*[/]server[/]/, ''))
`,
  )
  expect(bundleOf(root, 'server')).toBeNull()
  await buildBundlesIfNeeded(root)
  const first = bundleOf(root, 'server')!
  const data = pathToFileURL(join(root, 'core/data.txt')).href
  expect(run(first)).toMatch(new RegExp(`^one ${data} run.ts:3:\\d+`))
  expect(run(bundleOf(root, 'emulator')!)).toBe('emulator')

  write('platform/word.ts', 'export const word: string = "two words"\n')
  expect(bundleOf(root, 'server')).toBeNull()
  await buildBundlesIfNeeded(root)
  expect(run(bundleOf(root, 'server')!)).toMatch(/^two words /)
  // A process that runs the earlier bundle imports further files of it later.
  expect(run(first)).toMatch(/^one /)
  expect(readdirSync(join(root, 'apps/server/dist'))).toHaveLength(2)
})
