import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { auditWords } from '@trainyard/contract/words/audit.ts'
import { setPortalClock } from '#test/clock.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { secondFactors } from '#test/second-factor.ts'
import { buildApp } from './app/build-app.ts'
import { workerOf } from './app.ts'
import { readConfig } from './config.ts'
import { sealAudit } from './domain/audit/seal.ts'
import { tasksOf } from './tasks.ts'
import { PACE } from './worker/parts.ts'

/** The commands of an operator at the machine, each as the process that `npm run` starts. */
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const DAY = 86_400

let portal: TestPortal
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), { AUDIT_RETENTION_DAYS: '400' })
})
afterAll(() => portal.close())

async function run(...args: string[]): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...portal.settings } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { code: await new Promise((resolve) => child.on('close', resolve)), said }
}

test(
  'superadmin makes one with a link that sets the password, and reset-second-factor lets them in by it alone',
  { timeout: 60_000 },
  async () => {
    const made = await run('superadmin', 'Boss@Labs.test')
    expect(made).toEqual({ code: 0, said: expect.stringContaining('Boss@Labs.test sets a password, once') })
    const [, token] = /#token=(\S+)/.exec(made.said)!
    const factors = await secondFactors(portal)
    const { uid } = await factors.must('POST', '/user/password', { token, password: 'a good long password' })
    await factors.addApp(uid)
    expect(await factors.login('boss@labs.test')).toMatchObject({ status: 401, body: { code: 'secondFactor' } })

    expect(await run('superadmin', 'boss@labs.test', 'reset-second-factor')).toEqual({
      code: 0,
      said: 'The second factors of boss@labs.test are removed, and their sessions ended.\n',
    })
    expect((await factors.ask('GET', '/user/me', undefined, uid)).status).toBe(401)
    expect((await factors.login('boss@labs.test')).status).toBe(200)
    const rows = await portal.owner.selectFrom('audit').select('call').where('call', 'like', 'operator.%').execute()
    expect(rows).toHaveLength(2)
    expect(rows.filter(({ call }) => auditWords(call) === call)).toEqual([])
  },
)

test('what is typed wrongly is answered with a sentence', { timeout: 60_000 }, async () => {
  const typed = [
    ['superadmin'],
    ['superadmin', 'boss'],
    ['superadmin', 'boss@labs.test', 'reset-second-factor', 'more'],
    ['superadmin', 'nobody@labs.test', 'reset-second-factor'],
    ['audit', 'verify', '/nowhere/audit.jsonl'],
    ['audit', 'copy', '/'],
  ]
  expect(await Promise.all(typed.map((args) => run(...args)))).toEqual(
    [
      'Give an e-mail: npm run superadmin -- EMAIL [reset-second-factor]\n',
      'boss is not an e-mail address such as name@example.com.\n',
      'There is no more: give an e-mail alone, or reset-second-factor after it.\n',
      'There is no account nobody@labs.test.\n',
      '/nowhere/audit.jsonl can not be used: it is not there.\n',
      expect.stringMatching(/^\/ can not be used: it is .*\.\n$/),
    ].map((said) => ({ code: 1, said })),
  )
})

/** The task of a worker with these settings that archives by itself; undefined: it has none. */
async function archiving(settings: Record<string, string>, said: string[] = []) {
  const { config, secrets } = readConfig({ ...portal.settings, ...settings })
  const app = buildApp(config, secrets)
  const tasks = tasksOf(await workerOf(app, { say: (sentence) => said.push(sentence) }), PACE)
  await app.db.destroy()
  return tasks.find(({ name }) => name === 'archive the audit')
}

test('a worker archives by itself as long as rows are to be kept, where it was told the owner’s login', async () => {
  const said: string[] = []
  const task = (await archiving({}, said))!
  const { signal } = new AbortController()
  await setPortalClock(portal.owner, { ahead: 500 * DAY })
  await portal.ask('POST', '/user/login', { body: { email: 'nobody@labs.test', password: 'later' } })
  await sealAudit(portal.app.db)
  await task.run(signal)
  expect(said).toEqual([expect.stringMatching(/^Positions \d+ to \d+ of the audit are in .* now\.$/)])
  await task.run(signal)
  expect(said).toHaveLength(1)

  expect(await archiving({ DATABASE_APP_URL: portal.settings['DATABASE_URL']!, DATABASE_URL: '' })).toBeUndefined()
  expect(await archiving({ AUDIT_RETENTION_DAYS: '' })).toBeUndefined()
})

test(
  'audit copies, archives and verifies, and finds by its row what was changed in copy, archive or table',
  { timeout: 90_000 },
  async () => {
    const folder = portal.settings['TRAINYARD_DATA']!
    const file = join(folder, 'copy.jsonl')
    expect((await run('audit', 'copy', file)).code).toBe(0)
    const rewrite = (name: string) =>
      writeFileSync(name, readFileSync(name, 'utf8').replaceAll('"session.login"', '"session.other"'))
    rewrite(file)
    expect(await run('audit', 'verify', file)).toEqual({
      code: 1,
      said: expect.stringMatching(/^Row \d+ \(position \d+\) was changed: now it says session\.other/m),
    })

    await setPortalClock(portal.owner, { ahead: 1_000 * DAY })
    await portal.ask('POST', '/user/login', { body: { email: 'nobody@labs.test', password: 'much later' } })
    await sealAudit(portal.app.db)
    const archived = await run('audit', 'archive')
    expect(archived).toEqual({ code: 0, said: expect.stringMatching(/^Positions \d+ to \d+ of the audit are in/) })
    await sealAudit(portal.app.db)
    expect(await run('audit', 'verify')).toMatchObject({ code: 0 })
    rewrite(/are in (.*) now/.exec(archived.said)![1]!)
    await portal.owner
      .updateTable('audit')
      .set({ actor_email: 'other@labs.test' })
      .where('refused', 'is not', null)
      .execute()
    expect(await run('audit', 'verify')).toEqual({
      code: 1,
      said: expect.stringMatching(/ was changed: now it says session\.other.* was changed: .* by other@labs\.test/s),
    })
  },
)
