import { appendFileSync, chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, type TestContext } from 'vitest'
import { embeddedPlace } from './place.ts'
import { processesIn, stopPostmaster } from './postmaster.ts'
import { DataInUse, type Embedded, startEmbedded } from './start-embedded.ts'
import { layCluster } from './test-cluster.ts'
import { ask } from '#test/ask.ts'
import { removeFolder } from '#test/remove-folder.ts'

interface Place {
  /** A data folder, still empty. */
  readonly dir: string
  begin(at?: string): Promise<Embedded>
}

/** A place of one test's own, so that several can wait at the same time; all in it is ended when the test is over. */
function makePlace({ onTestFinished }: TestContext): Place {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-embedded-'))
  chmodSync(dir, 0o755)
  const running: Embedded[] = []
  onTestFinished(async () => {
    await Promise.all(running.map((embedded) => embedded.stop()))
    await stopPostmaster(embeddedPlace(dir).cluster)
    removeFolder(dir)
  })
  return {
    dir,
    async begin(at = dir) {
      const embedded = await startEmbedded(at)
      running.push(embedded)
      return embedded
    },
  }
}

// They mostly wait, for the disk and for PostgreSQL: several at once take the time of few.
describe.concurrent('the embedded database', { timeout: 90_000 }, () => {
  test('keeps what it was given over a stop and a start, and listens on its closed socket alone', async (context) => {
    const { begin, dir } = makePlace(context)
    const first = await begin()
    await ask(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    expect(processesIn(embeddedPlace(dir).cluster)).toEqual([])

    const second = await begin()
    expect(second.adopted).toBe(false)
    expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await ask(second.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(statSync(embeddedPlace(dir).sockets).mode & 0o777).toBe(0o700)
  })

  test('a recorded process number that now belongs to another program does not stop the start', async (context) => {
    const { begin, dir } = makePlace(context)
    await layCluster(dir)
    await (await begin()).stop()
    const { cluster } = embeddedPlace(dir)
    writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n0\n5432\n\n\n0 0\nready\n`)
    const again = await begin()
    expect(await ask(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('is held by one at a time, also within one process', async (context) => {
    const { begin, dir } = makePlace(context)
    await layCluster(dir)
    const first = await begin()
    await expect(startEmbedded(dir)).rejects.toThrow(DataInUse)
    await first.stop()
    await begin()
  })

  test('refuses to run when a changed setting could lose what was acknowledged', async (context) => {
    const { begin, dir } = makePlace(context)
    await layCluster(dir)
    await (await begin()).stop()
    appendFileSync(
      join(embeddedPlace(dir).cluster, 'postgresql.conf'),
      '\nfull_page_writes = off\nsynchronous_commit = off\n',
    )
    await expect(startEmbedded(dir)).rejects.toThrow(/synchronous_commit on \(it is off\)/)
  })

  test('a data folder too deep for a socket address gets its socket elsewhere', async (context) => {
    const { begin, dir } = makePlace(context)
    const deep = join(dir, 'a'.repeat(60), 'b'.repeat(60))
    const embedded = await begin(deep)
    const { sockets } = embeddedPlace(deep)
    try {
      expect(sockets.startsWith(join(tmpdir(), 'trainyard-'))).toBe(true)
      expect(await ask(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await embedded.stop()
    } finally {
      removeFolder(sockets)
    }
  })

  test('says why when it can not start', async (context) => {
    const { begin, dir } = makePlace(context)
    await layCluster(dir)
    await (await begin()).stop()
    appendFileSync(join(embeddedPlace(dir).cluster, 'postgresql.conf'), '\nno_such_setting = 1\n')
    await expect(startEmbedded(dir)).rejects.toThrow(/PostgreSQL did not start[^]*no_such_setting/)
  })
})
