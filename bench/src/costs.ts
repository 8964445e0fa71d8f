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
  const file = Buffer.from(eaFile(Array.from({ length: LINES }, (_, index) => lineAt(index))))
  const rows: string[][] = []
  const measure = async (label: string, limit: number, callback: () => Promise<unknown>) => {
    const cpuBefore = process.cpuUsage()
    const startedAt = performance.now()
    await callback()
    const seconds = (performance.now() - startedAt) / 1_000
    const { user, system } = process.cpuUsage(cpuBefore)
    console.log(`${label}: ${((user + system) / 1e6).toFixed(1)} s of CPU time in this process`)
    rows.push([label, seconds.toFixed(2), `${limit}`, seconds <= limit ? 'ok' : 'OVER'])
    if (seconds > limit) process.exitCode = 1
  }
  for (const [label, limit, bytes] of [
    [`${LINES} lines, ${(file.length / 1e6).toFixed(0)} MB`, LIMITS.import, file],
    ['the same file again, compressed', LIMITS.again, gzipSync(file)],
  ] as const) {
    await insertImport(bytes)
    const stop = watchMemory()
    await measure(label, limit, () => importWaiting(db, new AbortController().signal))
    const addedMegabytes = stop()
    rows.push([
      '  memory above the initial use, MB',
      addedMegabytes.toFixed(0),
      `${LIMITS.memory}`,
      addedMegabytes <= LIMITS.memory ? 'ok' : 'OVER',
    ])
    if (addedMegabytes > LIMITS.memory) process.exitCode = 1
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

function lineAt(index: number): Charged {
  const name = `vm-${index % RESOURCES}`
  return {
    day: `2026-10-${String(1 + (index % 31)).padStart(2, '0')}`,
    cost: (index / 977).toFixed(10),
    resource: resourceId('labs', 'Microsoft.Compute/virtualMachines', name),
    tags: { 'trainyard-machine': `00000000-0000-4000-8000-${String(index % RESOURCES).padStart(12, '0')}` },
  }
}

async function insertImport(bytes: Buffer): Promise<void> {
  const parts = Math.ceil(bytes.length / COST_PART_BYTES)
  const { rows } = await sql<{ id: string }>`
    insert into cost_import (file_names, file_parts, leave_out_bad, made_by, state, made_at)
    values ('{october.csv}', array[${parts}::int], false, 'bench@portal.test', 'waiting', clock_timestamp())
    returning id`.execute(db)
  for (let index = 0; index < parts; index += 1) {
    const part = bytes.subarray(index * COST_PART_BYTES, (index + 1) * COST_PART_BYTES)
    await sql`insert into cost_import_part values (${rows[0]!.id}, 0, ${index}, ${part})`.execute(db)
  }
}

function watchMemory(): () => number {
  const initialBytes = process.memoryUsage().rss
  let maxBytes = initialBytes
  const timer = setInterval(() => (maxBytes = Math.max(maxBytes, process.memoryUsage().rss)), 50)
  return () => {
    clearInterval(timer)
    return (maxBytes - initialBytes) / 1e6
  }
}
