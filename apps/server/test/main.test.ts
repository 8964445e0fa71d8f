/** @module-tag full */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { auditLabel } from '@trainyard/platform/contract/audit-labels.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { revokeWrites, writeInstalled } from '@trainyard/platform/server/db/upgrade.ts'
import { createEmptyDatabase, createTestDatabase } from '@trainyard/platform/test/database.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { addTraining } from '@trainyard/platform/test/scripted-cloud.ts'
import { secondFactors } from '@trainyard/second-factor/test/second-factor.ts'
import { buildApp } from '../build-app.ts'
import { workerOf } from '../compose.ts'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { appSecretContext } from '@trainyard/second-factor/server/encryption-context.ts'
import { sealAudit } from '@trainyard/audit-chain/server/seal.ts'
import { makeFixture, NO_PROCESSES } from '../start/test-fixture.ts'
import { MAIN, ready, until } from '../start/test-run.ts'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { tasksOf } from '@trainyard/platform/server/core/module.ts'
import { PACE } from '@trainyard/platform/server/run/parts.ts'

/** The operator's commands, each run as the process that `npm run` starts. */
const DAY = 86_400

let portal: TestPortal
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), { AUDIT_RETENTION_DAYS: '400' })
})
afterAll(() => portal.close())

const run = (...args: string[]) => runWithSettings({}, ...args)

/** @param settings of this process, in addition to the settings of the portal */
async function runWithSettings(settings: Record<string, string>, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, ...portal.settings, ...settings }
  const child = spawn(process.execPath, [MAIN, ...args], { env })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    errors += chunk.toString()
  })
  return { code: await new Promise((resolve) => child.on('close', resolve)), output, errors }
}

interface Ended {
  readonly code: unknown
  /** Whole output, and the part of the output that was written to standard error. */
  readonly output: string
  readonly errors: string
}

test('creates a superadmin with a password link, and resets the second factor', async () => {
  const created = await run('superadmin', 'Boss@Labs.test')
  expect(created).toMatchObject({
    code: 0,
    output: expect.stringContaining('Boss@Labs.test can set a password with this link, once'),
  })
  const [, token] = /#token=(\S+)/.exec(created.output)!
  const factors = await secondFactors(portal)
  const { uid } = await factors.sendOk('POST', '/user/password', { token, password: 'a good long password' })
  await factors.addApp(uid)
  expect(await factors.login('boss@labs.test')).toMatchObject({ status: 401, body: { code: 'secondFactor' } })

  expect(await run('superadmin', 'boss@labs.test', 'reset-second-factor')).toMatchObject({
    code: 0,
    output: 'The second factors of boss@labs.test were removed and their sessions ended.\n',
  })
  expect((await factors.send('GET', '/user/me', undefined, uid)).status).toBe(401)
  expect((await factors.login('boss@labs.test')).status).toBe(200)
  const rows = await portal.owner.selectFrom('audit').select('call').where('call', 'like', 'operator.%').execute()
  expect(rows).toHaveLength(2)
  expect(rows.filter(({ call }) => auditLabel(call) === call)).toEqual([])
})

test('in production without clouds and mail, the worker says that it runs, and the portal is healthy', async () => {
  const production = await startTestPortal(inject('testCluster'), { NODE_ENV: 'production' })
  const worker = spawn(process.execPath, [MAIN, 'worker'], { env: { ...process.env, ...production.settings } })
  const ended = once(worker, 'close')
  let errors = ''
  worker.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  try {
    await until('the worker reports', () => errors !== '')
    expect(errors).toBe('The worker runs.\n')
    const isHealthy = async () => (await fetch(`${production.url}/api/health`)).ok
    await until('the portal is healthy', isHealthy)
    // The settings of its provider were lost, but the machine runs.
    const { add } = await addTraining(production.app)
    await add({ observed: 'running', first_seen_at: new Date(0) })
    await sql`update whole_sweep set due_at = portal_now()`.execute(production.owner)
    await until('the portal is not healthy', async () => !(await isHealthy()))
  } finally {
    worker.kill('SIGTERM')
    await ended
    await production.close()
  }
})

test('says in a sentence what the database refuses', async () => {
  const cluster = inject('testCluster')
  const [empty, other, upgrading] = await Promise.all([
    createEmptyDatabase(cluster),
    createEmptyDatabase(cluster),
    createTestDatabase(cluster),
  ])
  const nameOf = ({ url }: { url: string }) => new URL(url).pathname.slice(1)
  const inOther = new URL(cluster)
  inOther.pathname = `/${nameOf(other)}`
  const owner = connect({ connectionString: upgrading.url }, { size: 1, as: 'owner' })
  try {
    await queryDatabase(inOther.href, 'create table theirs ()')
    await owner.transaction().execute(async (tx) => {
      await revokeWrites(tx)
      const upgrade = {
        from: '0.9.0',
        to: '1.0.0',
        phase: 'migrated',
        backup: null,
        grants: [],
        queue: 1,
        move: null,
      } as const
      await writeInstalled(tx, { version: '0.9.0', upgrade })
    })
    const refusals: [at: { url: string }, args: string[], sentence: RegExp][] = [
      [
        empty,
        ['rotate', 'secret-key'],
        /^The database lacks tables \(relation .* does not exist\)\. Create them: npm run migrate\n$/,
      ],
      [other, ['migrate'], /^The database refuses: permission denied for table theirs\. The login must own .*\n$/],
      [
        upgrading,
        ['superadmin', 'late@labs.test'],
        /^The database refuses: permission denied for .* If an upgrade stops changes, wait for its end\.\n$/,
      ],
    ]
    for (const [{ url }, args, sentence] of refusals)
      expect(await runWithSettings({ DATABASE_URL: url }, ...args)).toMatchObject({
        code: 1,
        output: expect.stringMatching(sentence),
      })
    await queryDatabase(cluster, `alter database ${nameOf(empty)} set default_transaction_read_only = on`)
    expect((await runWithSettings({ DATABASE_URL: empty.url }, 'migrate')).output).toMatch(
      /^The database refuses: cannot execute .* in a read-only transaction\. DATABASE_URL must name the primary server, .*\n$/,
    )
  } finally {
    await owner.destroy()
    await Promise.all([empty, other, upgrading].map(({ drop }) => drop()))
  }
})

test('prints the usage of a command with wrong arguments', async () => {
  const typed: [string[], RegExp][] = [
    [['nothing'], /^Unknown command: nothing\. Commands: start, .*\.\n$/],
    [
      ['start', 'more'],
      /^start does not accept more\. Usage: npm run start \[-- --world open\|corporate or --provider lxd\]\n$/,
    ],
    [
      ['dev', 'more'],
      /^dev does not accept more\. Usage: npm run dev \[-- --world open\|corporate or --provider lxd\]\n$/,
    ],
    [
      ['start', '--world', 'mars'],
      /^Name one world\. Usage: npm run start \[-- --world open\|corporate or --provider lxd\]\n$/,
    ],
    [['api', 'more'], /^api does not accept more\. Usage: npm run api\n$/],
    [['worker', 'more'], /^worker does not accept more\. Usage: npm run worker\n$/],
    [['migrate', 'more'], /^migrate does not accept more\. Usage: npm run migrate\n$/],
    [['superadmin'], /^Give an e-mail address\. Usage: npm run superadmin -- EMAIL \[reset-second-factor\]\n$/],
    [
      ['superadmin', 'boss@labs.test', 'reset-second-factor', 'more'],
      /^Unknown argument more\. Usage: npm run superadmin -- .*\n$/,
    ],
    [['audit', 'mend'], /^Give one of these commands\.\nnpm run audit -- verify /],
    [['backup', '--help'], /^Name at most one file: npm run backup \[-- FILE\]\n$/],
    [['restore'], /^Name the backup: npm run restore -- FILE \[--identity FILE\] \[--dry-run\]\n$/],
    [['restore', 'one', 'two'], /^Name the backup: npm run restore -- FILE \[--identity FILE\] \[--dry-run\]\n$/],
    [['doctor', '--mend'], /^Unknown option --mend\. Usage: npm run doctor \[-- --json\]\n$/],
    [['invariants', '--quite'], /^Unknown option --quite\. Usage: npm run invariants \[-- --quiet\]\n$/],
    [['live', '--limit', 'much'], /^--limit takes rupees, like --limit 200\.\n$/],
  ]
  const own = { DATABASE_URL: '' }
  expect(await Promise.all(typed.map(([args]) => runWithSettings(own, ...args)))).toEqual(
    typed.map(([, output]) => ({
      code: 2,
      output: expect.stringMatching(output),
      errors: expect.stringMatching(output),
    })),
  )
})

test('API and worker do not start with keys that decrypt none of the stored secrets', async () => {
  const [user] = await portal.owner
    .insertInto('portal_user')
    .values({ email: 'sealed@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
    .returning('id')
    .execute()
  const secret = portal.app.seal.seal('secret', appSecretContext(user!.id))
  const app = { user_id: user!.id, secret, last_step: 0 }
  const others = await portal.owner.deleteFrom('authenticator_app').returningAll().execute()
  await portal.owner.insertInto('authenticator_app').values(app).execute()
  const other = { SECRET_KEYS: `other:${Buffer.alloc(32, 5).toString('base64')}`, PORT: String(await freePort()) }
  try {
    for (const ended of await Promise.all([runWithSettings(other, 'api'), runWithSettings(other, 'worker')])) {
      expect(ended).toMatchObject({
        code: 1,
        errors: expect.stringMatching(
          /^The configured key other decrypts none of the 1 stored secret, which needs the key test\. .*\n$/,
        ),
      })
    }
  } finally {
    await portal.owner.deleteFrom('portal_user').where('id', '=', user!.id).execute()
    if (others.length > 0) await portal.owner.insertInto('authenticator_app').values(others).execute()
  }
})

test('checks the invariants, and exits with 1 if one is violated', async () => {
  expect(await run('invariants')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^OK {8}T4 [^]*\n\d+ invariants checked, 0 violated\. With --quiet, .*\n$/),
    errors: '',
  })
  const { id } = await portal.owner
    .insertInto('organisation')
    .values({ name: 'Out of balance', logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const balance = { organisation_id: id, invoice_paise: paise(100), payment_paise: paise(0) }
  await portal.owner.insertInto('ledger_balance').values(balance).execute()
  try {
    expect(await run('invariants', '--quiet')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^VIOLATED {2}L3 .*\n {10}\{.*\}\n[^]*\n\d+ invariants checked, 2 violated\.\n$/m),
      errors: '',
    })
  } finally {
    await portal.owner.deleteFrom('ledger_balance').where('organisation_id', '=', id).execute()
  }
})

test('reports an invalid or missing argument in a sentence', async () => {
  const typed = [
    ['superadmin', 'boss'],
    ['superadmin', 'nobody@labs.test', 'reset-second-factor'],
    ['audit', 'verify', '/nowhere/audit.jsonl'],
    ['audit', 'copy', '/'],
  ]
  expect(await Promise.all(typed.map((args) => run(...args)))).toMatchObject(
    [
      'boss is not an e-mail address such as name@example.com.\n',
      'There is no account nobody@labs.test.\n',
      '/nowhere/audit.jsonl cannot be used: it does not exist.\n',
      expect.stringMatching(/^\/ cannot be used: it .*\.\n$/),
    ].map((output) => ({ code: 1, output })),
  )
})

test('reports a wrong setting, key or database in a sentence without a stack trace', async () => {
  const folder = portal.settings['TRAINYARD_DATA']!
  const file = join(folder, 'file')
  const brokenFolder = join(folder, 'damaged')
  mkdirSync(brokenFolder)
  for (const name of [file, join(brokenFolder, 'audit.key'), join(brokenFolder, 'secret.key')]) writeFileSync(name, 'x')
  const url = new URL(portal.settings['DATABASE_URL']!)
  const nowhere = `postgres://nobody:secret@127.0.0.1:${await freePort()}/trainyard`
  url.username = 'nobody'
  const foreignDatabaseUrl = url.href
  const port = portal.settings['PORT']!
  const set: [Record<string, string>, string[], RegExp][] = [
    [{}, ['api'], new RegExp(`^Port ${port} is in use by another program\\. .*: PORT=\\d+ npm run api\n$`)],
    [{ HOST: '192.0.2.1' }, ['api'], /^This machine has no address 192\.0\.2\.1\. Set HOST to .*\.\n$/],
    [{ TRAINYARD_DATA: file }, ['migrate'], /^TRAINYARD_DATA must be a folder, and .*\/file is a file\.\n$/],
    [{ TRAINYARD_DATA: join(file, 'x'), SECRET_KEYS: '' }, ['start'], /^.*secret\.key can't be read: ENOTDIR.*\.\n$/],
    [
      { TRAINYARD_DATA: join(folder, 'other'), DATABASE_URL: '' },
      ['superadmin', 'boss@labs.test'],
      /^There is no database in .*\/other\. Set TRAINYARD_DATA to .*\.\n$/,
    ],
    [
      { DATABASE_URL: nowhere },
      ['migrate'],
      /^The database does not answer \(.*ECONNREFUSED.*\)\. Start the database server.*\.\n$/,
    ],
    [
      { DATABASE_URL: nowhere },
      ['audit', 'verify'],
      /^The database does not answer \(.*\)\. Start the database server.*\.\n$/,
    ],
    [{ DATABASE_URL: nowhere, PORT: String(await freePort()) }, ['start'], /^The database does not answer .*\.\n$/m],
    [
      { DATABASE_URL: 'postgres://nobody@nohost.invalid:5432/trainyard' },
      ['superadmin', 'boss@labs.test'],
      /^The database does not answer \(.*nohost\.invalid.*\)\. Start the database server.*\.\n$/,
    ],
    [
      { DATABASE_URL: foreignDatabaseUrl },
      ['migrate'],
      /^The database rejects the connection \(.*"nobody".*\)\. Set DATABASE_.*\.\n$/,
    ],
    [
      { TRAINYARD_DATA: brokenFolder },
      ['audit', 'key'],
      /^.*audit\.key can't be used: .*\. Restore your copy of this file\.\n$/,
    ],
    [
      { TRAINYARD_DATA: brokenFolder, SECRET_KEYS: '' },
      ['api'],
      /^.*secret\.key can't be used: .* Restore your copy.*\.\n$/,
    ],
  ]
  const answers = await Promise.all(set.map(([settings, args]) => runWithSettings(settings, ...args)))
  expect(answers).toMatchObject(
    set.map(([, , output]) => ({
      code: 1,
      output: expect.stringMatching(output),
      errors: expect.stringMatching(output),
    })),
  )
  for (const { output } of answers) expect(output).not.toMatch(/^ +at /m)
})

test('runs concurrent commands one after another on a stopped portal', { tags: ['storm'] }, async (context) => {
  const { dir, query, start, leftovers } = await makeFixture(context)
  const down = { TRAINYARD_DATA: dir, DATABASE_URL: '' }
  const commands = [['migrate'], ['superadmin', 'one@labs.test'], ['superadmin', 'two@labs.test'], ['migrate']]
  const answers = await Promise.all(commands.map((args) => runWithSettings(down, ...args)))
  const migrated = /The (tables of \S+ were created|database has the tables, roles and rights of \S+)\.\n$/
  const ends = [migrated, /one@labs\.test can set a password/, /two@labs\.test can set a password/, migrated]
  expect(answers).toMatchObject(ends.map((output) => ({ code: 0, output: expect.stringMatching(output) })))
  expect(await leftovers()).toEqual(NO_PROCESSES)

  await ready(start())
  expect(await query('select email from portal_user order by email')).toEqual([
    { email: 'one@labs.test' },
    { email: 'two@labs.test' },
  ])
  expect(await runWithSettings(down, 'migrate')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^The database has the tables, roles and rights of \S+\.\n$/),
  })
  expect(await query('select 1 as one')).toEqual([{ one: 1 }])
})

/** Returns the task that archives the audit for a worker with these settings; undefined if there is no such task. */
async function archiving(settings: Record<string, string>, output: string[] = []) {
  const { config, secrets } = readConfig({ ...portal.settings, ...settings })
  const app = buildApp(config, secrets)
  const tasks = tasksOf(SERVER_MODULES, await workerOf(app, { logMessage: (sentence) => output.push(sentence) }), PACE)
  await app.db.destroy()
  return tasks.find(({ name }) => name === 'archive the audit log')
}

test('archives the audit in the worker if a retention and the owner’s login are set', async () => {
  const output: string[] = []
  const task = (await archiving({}, output))!
  const { signal } = new AbortController()
  await setPortalClock(portal.owner, { ahead: 500 * DAY })
  await portal.request('POST', '/user/login', { body: { email: 'nobody@labs.test', password: 'later' } })
  await sealAudit(portal.app.db)
  await task.run(signal)
  expect(output).toEqual([expect.stringMatching(/^Positions \d+ to \d+ of the audit were moved to .*\.$/)])
  await task.run(signal)
  expect(output).toHaveLength(1)

  expect(await archiving({ DATABASE_APP_URL: portal.settings['DATABASE_URL']!, DATABASE_URL: '' })).toBeUndefined()
  expect(await archiving({ AUDIT_RETENTION_DAYS: '' })).toBeUndefined()
})

test('copies, archives and verifies the audit, and names a changed row in copy, archive or table', async () => {
  const folder = portal.settings['TRAINYARD_DATA']!
  const file = join(folder, 'copy.jsonl')
  expect((await run('audit', 'copy', file)).code).toBe(0)
  const rewrite = (name: string) =>
    writeFileSync(name, readFileSync(name, 'utf8').replaceAll('"session.login"', '"session.other"'))
  rewrite(file)
  expect(await run('audit', 'verify', file)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Row \d+ \(position \d+\) was changed and now reads: session\.other/m),
  })

  await setPortalClock(portal.owner, { ahead: 1_000 * DAY })
  await portal.request('POST', '/user/login', { body: { email: 'nobody@labs.test', password: 'much later' } })
  await sealAudit(portal.app.db)
  const archived = await run('audit', 'archive')
  expect(archived).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Positions \d+ to \d+ of the audit were moved to/),
  })
  await sealAudit(portal.app.db)
  expect(await run('audit', 'verify')).toMatchObject({ code: 0 })
  rewrite(/were moved to (.*)\.\n/.exec(archived.output)![1]!)
  await portal.owner
    .updateTable('audit')
    .set({ actor_email: 'other@labs.test' })
    .where('refused', 'is not', null)
    .execute()
  expect(await run('audit', 'verify')).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      / was changed and now reads: session\.other.* was changed and now reads: .* by other@labs\.test/s,
    ),
  })
})
