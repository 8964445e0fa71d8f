/** @module-tag full */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { embeddedPlace } from '../db/embedded/place.ts'
import { processesIn } from '../db/embedded/cluster.ts'
import { startEmbedded } from '../db/embedded/start-embedded.ts'
import { copyTestCluster } from '../db/embedded/test-cluster.ts'
import { freePort } from '../../test/ports.ts'
import { type Check, green, red } from './check.ts'
import { withoutSecrets } from './doctor.ts'
import { examine } from './run-checks.ts'
import { asTable, allChecksPass } from './report.ts'
import { sharedDoctorPortal } from '../../test/doctor-portal.ts'

const MAIN = fileURLToPath(new URL('../../../apps/server/main.ts', import.meta.url))

async function run(settings: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'doctor', ...args], { env: { ...process.env, ...settings } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, said: output }
}

const doctorPortal = await sharedDoctorPortal()

describe('the command', () => {
  test("reports no problem with the emulator's settings", async () => {
    const report = await doctorPortal.examine(null)
    expect(Object.entries(report).filter(([, state]) => state !== 'green' && state !== 'not used')).toEqual([])
    const { code, said } = await run(doctorPortal.settings)
    expect(said).toMatch(/\d+ checks: \d+ green, 0 red, \d+ not used, 0 not run\.\n$/)
    expect(code).toBe(0)
  })

  test('exits with 1 and prints problems and advice as JSON', async () => {
    const { code, said } = await run({ ...doctorPortal.settings, SECRET_KEYS: `b:${'B'.repeat(43)}=` }, '--json')
    const { well, checks } = JSON.parse(said) as { well: boolean; checks: { name: string; state: string }[] }
    expect([code, well]).toEqual([1, false])
    expect(checks.find(({ name }) => name === 'this portal')).toMatchObject({
      group: 'PUBLIC_URL',
      state: 'red',
      problems: [{ what: expect.any(String), todo: expect.stringMatching(/SECRET_KEYS/) }],
    })
  })

  test('refuses an unknown option and an invalid setting', async () => {
    expect(await run(doctorPortal.settings, '--mend')).toMatchObject({
      code: 2,
      said: expect.stringMatching(/Unknown option --mend/),
    })
    expect(await run({ ...doctorPortal.settings, PUBLIC_URL: 'portal' })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/PUBLIC_URL must be/),
    })
  })

  test('in production without providers, names the missing settings instead of the emulator', async () => {
    const { code, said } = await run({
      ...doctorPortal.settings,
      NODE_ENV: 'production',
      EMULATOR_PORT: String(await freePort()),
    })
    expect(code).toBe(0)
    expect(said).toMatch(/not used +Emulator: runs +Set AZURE_SUBSCRIPTION_ID.*, and SMTP_URL: /)
    expect(said).not.toContain('npm start')
  })

  test('without a portal, creates no database and tells the user what to start', { tags: ['storm'] }, async () => {
    const { code, said } = await run({ ...doctorPortal.settings, DATABASE_URL: '' })
    expect(code).toBe(1)
    expect(said).toMatch(/There is no database in .* yet\.\n.*npm start/)
  })
})

test('starts a stopped embedded database and stops it again', { tags: ['storm'] }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-doctor-still-'))
  // If root runs the test, PostgreSQL runs as another account, which needs access to the folder.
  chmodSync(dir, 0o755)
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  await copyTestCluster(dir)
  await (await startEmbedded(dir)).stop()
  const { said } = await run({ TRAINYARD_DATA: dir, DATABASE_URL: '', EMULATOR_PORT: String(await freePort()) })
  expect(said).toMatch(/Database: connection +role "trainyard_app" does not exist/)
  expect(said).toContain('npm run migrate')
  expect(processesIn(embeddedPlace(dir).cluster)).toEqual([])
})

describe('a check', () => {
  const check = (name: string, run: Check['run'], overrides: Partial<Check> = {}): Check => ({
    group: 'Test',
    name,
    otherwise: 'Look again.',
    run,
    ...overrides,
  })

  test('is skipped if a check that it depends on fails, directly or indirectly', async () => {
    const one = check('one', async () => red('It is broken.', 'Mend it.'))
    const two = check('two', async () => green('fine'), { needs: [one] })
    const three = check('three', async () => green('fine'), { needs: [two] })
    const results = await examine([one, two, three])
    expect(results.map(({ state }) => state)).toEqual(['red', 'not run', 'not run'])
    expect(allChecksPass(results)).toBe(false)
    expect(asTable(results)).toMatch(/Test: two +Requires "Test: one"\./)
  })

  test('fails if it times out or throws, and delays no other check', async () => {
    const slow = check('slow', () => new Promise(() => {}), { limit: 50 })
    const thrown = check('thrown', async () => Promise.reject(new Error('The line is cut.')))
    const results = await examine([slow, thrown, check('quick', async () => green('fine'))])
    expect(results).toMatchObject([
      { state: 'red', problems: [{ what: 'No response within 0.05 s.', todo: 'Look again.' }] },
      { state: 'red', problems: [{ what: 'The line is cut.' }] },
      { state: 'green' },
    ])
  })

  test('prints no control characters that a server sends', async () => {
    const forged = '\u001B]0;title\u0007\u001B[2J\n  green   Database: connection\u009B31m'
    const table = asTable(await examine([check('one', async () => red(forged, 'Mend\u001B[1mit.'))]))
    expect(table).toMatch(
      /Test: one +\]0;title\[2J green {3}Database: connection31m\n +To do: Mend\[1mit\.\n\n1 check: /,
    )
  })

  test('never prints a secret', () => {
    expect(withoutSecrets('535 no: hunter2/3 and hunter2%2F3', ['hunter2/3'])).toBe('535 no: (secret) and (secret)')
  })
})
