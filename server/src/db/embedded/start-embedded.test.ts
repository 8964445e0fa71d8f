import { appendFileSync, chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { embeddedPlace } from './place.ts'
import { processesIn, stopPostmaster } from './postmaster.ts'
import { DataInUse, type Embedded, startEmbedded } from './start-embedded.ts'

let dir: string
let running: Embedded[]

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-embedded-'))
  chmodSync(dir, 0o755)
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((embedded) => embedded.stop()))
  await stopPostmaster(embeddedPlace(dir).cluster)
  rmSync(dir, { recursive: true, force: true })
})

async function begin(at = dir): Promise<Embedded> {
  const embedded = await startEmbedded(at)
  running.push(embedded)
  return embedded
}

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

test('keeps what it was given over a stop and a start, and listens on its closed socket alone', async () => {
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

test('a recorded process number that now belongs to another program does not stop the start', async () => {
  await (await begin()).stop()
  const { cluster } = embeddedPlace(dir)
  writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n0\n5432\n\n\n0 0\nready\n`)
  const again = await begin()
  expect(await ask(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('is held by one at a time, also within one process', async () => {
  await begin()
  await expect(startEmbedded(dir)).rejects.toThrow(DataInUse)
  await running[0]?.stop()
  await begin()
})

test('refuses to run when a changed setting could lose what was acknowledged', async () => {
  await (await begin()).stop()
  appendFileSync(
    join(embeddedPlace(dir).cluster, 'postgresql.conf'),
    '\nfull_page_writes = off\nsynchronous_commit = off\n',
  )
  await expect(startEmbedded(dir)).rejects.toThrow(/synchronous_commit on \(it is off\)/)
})

test('a data folder too deep for a socket address gets its socket elsewhere', async () => {
  const deep = join(dir, 'a'.repeat(60), 'b'.repeat(60))
  const embedded = await begin(deep)
  const { sockets } = embeddedPlace(deep)
  try {
    expect(sockets.startsWith(join(tmpdir(), 'trainyard-'))).toBe(true)
    expect(await ask(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await embedded.stop()
  } finally {
    rmSync(sockets, { recursive: true, force: true })
  }
})

test('says why when it can not start', async () => {
  await (await begin()).stop()
  appendFileSync(join(embeddedPlace(dir).cluster, 'postgresql.conf'), '\nno_such_setting = 1\n')
  await expect(startEmbedded(dir)).rejects.toThrow(/PostgreSQL did not start[^]*no_such_setting/)
})
