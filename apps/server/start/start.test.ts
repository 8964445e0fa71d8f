/** @module-tag full */
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { canEnter, isRoot } from '@trainyard/platform/server/db/embedded/place.ts'
import { recordedPid } from '@trainyard/platform/server/db/embedded/cluster.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { openToOthers } from './test-file-modes.ts'
import { makeFixture, NO_PROCESSES, type TestFixture } from './test-fixture.ts'
import { answers, ready, type Run, until } from './test-run.ts'

function leaveOpen(dir: string): void {
  for (const [folder, file] of [
    ['logs', 'postgres.log'],
    ['emulator', 'mail.db'],
    ['live/traffic', 'yesterday.ndjson'],
  ] as const) {
    mkdirSync(join(dir, folder), { recursive: true, mode: 0o755 })
    writeFileSync(join(dir, folder, file), '', { mode: 0o644 })
  }
  writeFileSync(join(dir, 'secret.key'), `old:${Buffer.alloc(32, 1).toString('base64')}`, { mode: 0o644 })
  mkdirSync(join(dir, 'not-ours'), { mode: 0o755 })
}

const NOBODY = { uid: 65_534, gid: 65_534, name: 'nobody' }

test('Ctrl-C ends everything', async (context) => {
  const { start, leftovers } = await makeFixture(context)
  const run = start()
  await ready(run)
  process.kill(-(run.child.pid ?? 0), 'SIGINT')
  expect(await run.ended).toBe(0)
  expect(await leftovers()).toEqual(NO_PROCESSES)
})

// These tests share one running portal and do not end it.
describe('a running portal', () => {
  let fixture: TestFixture
  let run: Run
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    fixture = await makeFixture({ onTestFinished: (end) => ends.push(end) })
    run = fixture.start()
    await ready(run)
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('refuses a second start on the same data and names the process that uses it', async () => {
    const { start, dir, ports } = fixture
    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(
      `${dir} is in use by process ${run.child.pid}: Trainyard is already running there.`,
    )
    expect(await answers(ports.http)).toBe(true)
  })

  test('restarts a killed PostgreSQL, with all committed data', async () => {
    const { query, dir } = fixture
    await query('create table kept as select 42 as answer')
    const postmaster = recordedPid(embeddedPlace(dir).cluster) ?? 0
    process.kill(postmaster, 'SIGKILL')
    const rows = await until(
      'PostgreSQL answers again',
      () =>
        recordedPid(embeddedPlace(dir).cluster) !== postmaster &&
        query('select answer from kept').catch(() => false as const),
    )
    expect(rows).toEqual([{ answer: 42 }])
    expect(run.output()).toMatch(/PostgreSQL ended unexpectedly/)
  })
})

// These tests mostly wait for processes, so they run concurrently.
describe.concurrent('independent portals', () => {
  test('the next start after a kill finds all committed data', { tags: ['storm'] }, async (context) => {
    const { start, query, leftovers } = await makeFixture(context)
    const run = start()
    await ready(run)
    await query('create table kept as select 42 as answer')
    run.child.kill('SIGKILL')
    expect(await run.ended).toBe('SIGKILL')

    const next = start()
    await ready(next)
    expect(await query('select answer from kept')).toEqual([{ answer: 42 }])
    next.child.kill('SIGTERM')
    expect(await next.ended).toBe(0)
    expect(await leftovers()).toEqual(NO_PROCESSES)
  })

  test(
    'locks the folder with an external database too, until the process ends',
    { tags: ['storm'] },
    async (context) => {
      const other = await makeFixture(context)
      await ready(other.start())
      const settings = { NODE_ENV: 'development', DATABASE_URL: embeddedPlace(other.dir).url }
      const { start, dir } = await makeFixture(context, { empty: true })
      const run = start({ settings })
      await ready(run)
      const second = start({ settings })
      expect(await second.ended).toBe(1)
      expect(second.output()).toContain(
        `${dir} is in use by process ${run.child.pid}: Trainyard is already running there.`,
      )
      run.child.kill('SIGKILL')
      await run.ended
      await ready(start({ settings }))
    },
  )

  test(
    'one of two concurrent starts on an empty folder runs, and the other one refuses',
    { tags: ['storm'] },
    async (context) => {
      const { start, query } = await makeFixture(context, { empty: true })
      const both = [start(), start()]
      const refused = await Promise.race(both.map(async (run) => [run, await run.ended] as const))
      expect(refused[1]).toBe(1)
      expect(refused[0].output()).toMatch(/is in use by process [0-9]+/)
      const winner = both.find((run) => run !== refused[0])
      if (winner !== undefined) await ready(winner)
      expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    },
  )

  test('names a port in use with instructions, and leaves no processes', { tags: ['storm'] }, async (context) => {
    const { start, ports, leftovers } = await makeFixture(context)
    const server = createServer().listen(ports.emulator, '127.0.0.1')
    try {
      const run = start()
      expect(await run.ended).toBe(1)
      expect(run.output()).toContain(`Port ${ports.emulator} is in use by another program.`)
      expect(run.output()).toContain(`EMULATOR_PORT=${ports.emulator + 100} npm start`)
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
    expect(await leftovers()).toEqual(NO_PROCESSES)
  })

  test('restricts the data folder, also an existing permissive one', async (context) => {
    const { start, query, dir, above } = await makeFixture(context, { empty: true })
    leaveOpen(dir)
    await ready(start())
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    // PostgreSQL's user, if different, may traverse the data folder but not list it.
    expect(openToOthers(dir)).toEqual([...(isRoot() ? ['710 .'] : []), '755 not-ours'])
    expect(statSync(dir).gid).toBe(embeddedPlace(dir).osUser?.gid ?? statSync(above).gid)
  })

  /* oxlint-disable vitest/no-conditional-tests -- a test that can't be made here is not made, rather than skipped */
  // Only root can start processes as another user, and only from a folder that the user can enter.
  if (isRoot() && canEnter(NOBODY, fileURLToPath(new URL('.', import.meta.url)))) {
    test('runs as an ordinary user', async (context) => {
      const { start, query, dir } = await makeFixture(context, { empty: true })
      leaveOpen(dir)
      for (const path of ['.', 'logs', 'logs/postgres.log', 'emulator', 'emulator/mail.db', 'secret.key']) {
        chownSync(join(dir, path), NOBODY.uid, NOBODY.gid)
      }
      const run = start({ account: { uid: NOBODY.uid, gid: NOBODY.gid } })
      await ready(run)
      expect(await query('select 1 as one')).toEqual([{ one: 1 }])
      // The user cannot change the modes of root's files. They cause no error.
      expect(openToOthers(dir).toSorted()).toEqual([
        '644 live/traffic/yesterday.ndjson',
        '755 live',
        '755 live/traffic',
        '755 not-ours',
      ])
    })
  }

  if (isRoot()) {
    test(
      'as root, reports where the database is stored if PostgreSQL may not enter the folder',
      { tags: ['storm'] },
      async (context) => {
        const { start, query, dir, above } = await makeFixture(context, { empty: true })
        chmodSync(above, 0o700)
        const run = start()
        const output = await ready(run)
        const storedFolder = /the database is stored in (\S+) instead/.exec(output)?.[1] ?? ''
        try {
          expect(output).toContain(`cannot enter ${dir}`)
          expect(await query('select 1 as one')).toEqual([{ one: 1 }])
          expect(readFileSync(join(storedFolder, 'postgres', 'PG_VERSION'), 'utf8')).toMatch(/^18/)
          expect(openToOthers(dir)).toEqual([])
          expect(openToOthers(storedFolder)).toEqual(['710 .'])
          run.child.kill('SIGTERM')
          expect(await run.ended).toBe(0)

          // The database continues to use the other folder when this folder becomes accessible.
          chmodSync(above, 0o755)
          expect(embeddedPlace(dir).home).toBe(storedFolder)
        } finally {
          removeFolder(storedFolder)
        }
      },
    )
  }
})
