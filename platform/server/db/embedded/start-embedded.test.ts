/** @module-tag full */
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, type TestContext } from 'vitest'
import { embeddedPlace } from './place.ts'
import { endProcessesIn, processesIn } from './cluster.ts'
import { DataInUse } from '../../run/files/folder-lock.ts'
import { type Embedded, startEmbedded } from './start-embedded.ts'
import { copyTestCluster } from './test-cluster.ts'
import { queryDatabase } from '../../../test/query-database.ts'
import { removeFolder } from '../../../test/remove-folder.ts'

interface Place {
  /** Empty data folder. */
  readonly dir: string
  start(at?: string): Promise<Embedded>
}

/** Creates a folder for one test. After the test, stops all clusters in the folder and deletes it. */
function makePlace({ onTestFinished }: TestContext): Place {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-embedded-'))
  chmodSync(dir, 0o755)
  const running: Embedded[] = []
  onTestFinished(async () => {
    await Promise.all(running.map((embedded) => embedded.stop()))
    await endProcessesIn(embeddedPlace(dir).cluster)
    removeFolder(dir)
  })
  return {
    dir,
    async start(at = dir) {
      const embedded = await startEmbedded(at)
      running.push(embedded)
      return embedded
    },
  }
}

// These tests mostly wait for the disk and for PostgreSQL, so they run concurrently.
describe.concurrent('the embedded database', () => {
  test('keeps its data over a restart and listens only on its private socket', async (context) => {
    const { start, dir } = makePlace(context)
    const first = await start()
    await queryDatabase(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    expect(processesIn(embeddedPlace(dir).cluster)).toEqual([])

    const second = await start()
    expect(await queryDatabase(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await queryDatabase(second.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(statSync(embeddedPlace(dir).sockets).mode & 0o777).toBe(0o700)
  })

  test('starts even if the recorded process ID now belongs to another program', async (context) => {
    const { start, dir } = makePlace(context)
    await copyTestCluster(dir)
    await (await start()).stop()
    const { cluster } = embeddedPlace(dir)
    writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n0\n5432\n\n\n0 0\nready\n`)
    const again = await start()
    expect(await queryDatabase(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('allows one holder at a time, also within one process', async (context) => {
    const { start, dir } = makePlace(context)
    await copyTestCluster(dir)
    const first = await start()
    await expect(startEmbedded(dir)).rejects.toThrow(DataInUse)
    await first.stop()
    await start()
  })

  test('overrides settings that could lose acknowledged writes', async (context) => {
    const { start, dir } = makePlace(context)
    await copyTestCluster(dir)
    await (await start()).stop()
    appendFileSync(
      join(embeddedPlace(dir).cluster, 'postgresql.conf'),
      '\nfull_page_writes = off\nsynchronous_commit = off\n',
    )
    const { url } = await start()
    expect(
      await queryDatabase(
        url,
        "select current_setting('full_page_writes') as full, current_setting('synchronous_commit') as sync",
      ),
    ).toEqual([{ full: 'on', sync: 'on' }])
  })

  test('places its socket in another folder if the path of the data folder is too long', async (context) => {
    const { start, dir } = makePlace(context)
    const longPath = join(dir, 'a'.repeat(60), 'b'.repeat(60))
    const embedded = await start(longPath)
    const { sockets } = embeddedPlace(longPath)
    try {
      expect(sockets.startsWith(join(tmpdir(), 'trainyard-'))).toBe(true)
      expect(await queryDatabase(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await embedded.stop()
    } finally {
      removeFolder(sockets)
    }
  })

  test('waits for an ordinary stop as long as PostgreSQL makes progress', { tags: ['storm'] }, async (context) => {
    const { dir } = makePlace(context)
    await copyTestCluster(dir)
    // PostgreSQL archives its last WAL segment when it stops. This takes 5 s here.
    const embedded = await startEmbedded(dir, { archive_mode: 'on', archive_command: 'sleep 5' })
    await queryDatabase(embedded.url, 'create table kept as select 42 as answer')
    const messages: string[] = []
    await embedded.stop((sentence) => void messages.push(sentence))
    const log = readFileSync(embeddedPlace(dir).log, 'utf8')
    expect(log).not.toContain('immediate shutdown')
    expect(log.trimEnd().split('\n').at(-1)).toContain('database system is shut down')
    expect(messages[0]).toMatch(/^PostgreSQL is still stopping after \d+ s/)
  })

  test(
    'waits for a recovery that takes longer than 20 s, and reports the wait',
    { tags: ['storm'] },
    async (context) => {
      const { dir } = makePlace(context)
      await copyTestCluster(dir)
      await (await startEmbedded(dir)).stop()
      const { cluster, osUser } = embeddedPlace(dir)
      writeFileSync(join(cluster, 'recovery.signal'), '')
      if (osUser !== null) chownSync(join(cluster, 'recovery.signal'), osUser.uid, osUser.gid)
      const messages: string[] = []
      const began = Date.now()
      const again = await startEmbedded(
        dir,
        { restore_command: 'sleep 12; false' },
        'portal',
        (text) => void messages.push(text),
      )
      try {
        expect(Date.now() - began).toBeGreaterThan(20_000)
        expect(messages[0]).toMatch(/^PostgreSQL is still starting after \d+ s/)
        expect(await queryDatabase(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
      } finally {
        await again.stop()
      }
    },
  )

  test('reports why the database cannot start', async (context) => {
    const { start, dir } = makePlace(context)
    await copyTestCluster(dir)
    await (await start()).stop()
    appendFileSync(join(embeddedPlace(dir).cluster, 'postgresql.conf'), '\nno_such_setting = 1\n')
    await expect(startEmbedded(dir)).rejects.toThrow(/PostgreSQL did not start[^]*no_such_setting/)
  })
})
