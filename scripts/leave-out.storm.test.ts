import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ADD_ONS, copyWithout, withDependents } from './leave-out.ts'

let folder: string
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(join(folder, 'node_modules/.bin', command), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    // Without the long runs of `npm run storm`, which the core's tests of a copy need not repeat.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:STORM|VITEST)/.test(name))),
  })
  return status === 0 ? '' : `${command} ${args.join(' ')}\n${stdout}\n${stderr}`
}

test.each([...ADD_ONS.map((name) => [name, [name]] as const), ['all add-ons', ADD_ONS] as const])(
  'the product without %s compiles, and the tests of its core pass',
  { timeout: 30 * 60_000 },
  (_, left) => {
    folder = mkdtempSync(join(tmpdir(), 'trainyard-without-'))
    copyWithout([...new Set(left.flatMap(withDependents))], folder)
    expect(run('tsc', ['-p', 'tsconfig.server.json'])).toBe('')
    expect(run('tsc', ['-p', 'apps/web/tsconfig.json'])).toBe('')
    expect(run('vitest', ['run', '--tags-filter=!storm', 'scripts/modules.test.ts', `${folder}/core/`])).toBe('')
  },
)
