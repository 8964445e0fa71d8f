import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { COST_PART_BYTES } from '@trainyard/contract/words/cost.ts'
import { connect } from '@trainyard/server/src/db/client.ts'
import { startEmbedded } from '@trainyard/server/src/db/embedded/start-embedded.ts'
import { migrateAll } from '@trainyard/server/src/start/migrate-database.ts'
import { importWaiting } from '@trainyard/server/src/domain/money/cost/import.ts'
import { monthOfCosts } from '@trainyard/server/src/domain/money/cost/month.ts'
import { unclaimedOf } from '@trainyard/server/src/domain/money/cost/unclaimed.ts'
import { type Charged, eaFile, resourceId } from '@trainyard/server/src/domain/money/cost/test-bill.ts'
import { table } from './figures.ts'

/** Measures two imports of a cost export with 100,000 lines, and the queries of its screen. */
const LINES = 100_000
const RESOURCES = 5_000
const LIMITS = { import: 20, again: 20, screen: 1, memory: 200 }

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
const database = await startEmbedded(folder)
const owner = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
const db = connect({ connectionString: database.url }, { size: 4, as: 'app' })
try {
  await migrateAll(owner)
  const file = Buffer.from(eaFile(Array.from({ length: LINES }, (_, place) => lineAt(place))))
  const rows: string[][] = []
  const measure = async (what: string, limit: number, work: () => Promise<unknown>) => {
    const busy = process.cpuUsage()
    const began = performance.now()
    await work()
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(busy)
    console.log(`${what}: ${((user + system) / 1e6).toFixed(1)} s of CPU time in this process`)
    rows.push([what, seconds.toFixed(2), `${limit}`, seconds <= limit ? 'ok' : 'OVER'])
    if (seconds > limit) process.exitCode = 1
  }
  for (const [what, limit, bytes] of [
    [`${LINES} lines, ${(file.length / 1e6).toFixed(0)} MB`, LIMITS.import, file],
    ['the same file again, compressed', LIMITS.again, gzipSync(file)],
  ] as const) {
    await put(bytes)
    const stop = watchMemory()
    await measure(what, limit, () => importWaiting(db, new AbortController().signal))
    const more = stop()
    rows.push([
      '  memory above the initial use, MB',
      more.toFixed(0),
      `${LIMITS.memory}`,
      more <= LIMITS.memory ? 'ok' : 'OVER',
    ])
    if (more > LIMITS.memory) process.exitCode = 1
  }
  const { rows: found } = await sql<{ states: string; lines: number }>`
    select string_agg(state, ', ' order by made_at) as states, (select count(*) from cost_line) as lines
    from cost_import`.execute(db)
  await measure('costs of the month', LIMITS.screen, () => monthOfCosts(db, '2026-10'))
  await measure('unclaimed costs', LIMITS.screen, () => unclaimedOf(db, '2026-10'))
  console.log(`States of the imports: ${found[0]!.states}; ${found[0]!.lines} lines stored.`)
  console.log(table(['', 'measured, s', 'limit', ''], rows))
} finally {
  await Promise.all([db.destroy(), owner.destroy()])
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

function lineAt(place: number): Charged {
  const name = `vm-${place % RESOURCES}`
  return {
    day: `2026-10-${String(1 + (place % 31)).padStart(2, '0')}`,
    cost: (place / 977).toFixed(10),
    resource: resourceId('labs', 'Microsoft.Compute/virtualMachines', name),
    tags: { 'trainyard-machine': `00000000-0000-4000-8000-${String(place % RESOURCES).padStart(12, '0')}` },
  }
}

async function put(bytes: Buffer): Promise<void> {
  const parts = Math.ceil(bytes.length / COST_PART_BYTES)
  const { rows } = await sql<{ id: string }>`
    insert into cost_import (file_names, file_parts, leave_out_bad, made_by, state, made_at)
    values ('{october.csv}', array[${parts}::int], false, 'bench@portal.test', 'waiting', clock_timestamp())
    returning id`.execute(db)
  for (let place = 0; place < parts; place += 1) {
    const part = bytes.subarray(place * COST_PART_BYTES, (place + 1) * COST_PART_BYTES)
    await sql`insert into cost_import_part values (${rows[0]!.id}, 0, ${place}, ${part})`.execute(db)
  }
}

function watchMemory(): () => number {
  const atFirst = process.memoryUsage().rss
  let most = atFirst
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50)
  return () => {
    clearInterval(timer)
    return (most - atFirst) / 1e6
  }
}
