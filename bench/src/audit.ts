import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect } from '@trainyard/server/src/db/client.ts'
import { startEmbedded } from '@trainyard/server/src/db/embedded/start-embedded.ts'
import { migrateAll } from '@trainyard/server/src/start/migrate-database.ts'
import { auditHandlers } from '@trainyard/server/src/domain/audit/http.ts'
import { sealAudit } from '@trainyard/server/src/domain/audit/seal.ts'
import { verifyTable } from '@trainyard/server/src/domain/audit/verify.ts'
import { median, percentile, table } from './figures.ts'

/** Measures the pages of the Audit screen with a million rows, and the sealing and verification of the audit chain. */
const ROWS = 1_000_000
const SEALED = 100_000
const ORGANISATIONS = 200
const ROUNDS = 30
const LIMIT_MS = 100

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
const database = await startEmbedded(folder)
const owner = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
const db = connect({ connectionString: database.url }, { size: 4, as: 'app' })
try {
  await migrateAll(owner)
  await insertRows(SEALED)
  const sealSeconds = await secondsOf(() => sealAudit(db))
  const trust = { keys: new Map<string, number>(), heads: [] }
  const verifySeconds = await secondsOf(() => verifyTable(db, folder, trust))
  console.log(
    `Sealed ${Math.round(SEALED / sealSeconds)} rows per second, verified ${Math.round(SEALED / verifySeconds)} rows per second.`,
  )
  await insertRows(ROWS - SEALED)
  await sql`vacuum analyze audit`.execute(owner)
  const rows: string[][] = []
  for (const [name, query] of Object.entries(queries())) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(1_000 * (await secondsOf(() => list(query))))
    const isWithinLimit = median(times) < LIMIT_MS
    rows.push([name, median(times).toFixed(1), percentile(times, 95).toFixed(1), isWithinLimit ? 'ok' : 'OVER'])
    if (!isWithinLimit) process.exitCode = 1
  }
  console.log(`Pages of ${ROWS} rows, ms; medians under ${LIMIT_MS}.`)
  console.log(table(['query', 'median', 'p95', ''], rows))
} finally {
  await Promise.all([db.destroy(), owner.destroy()])
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function insertRows(count: number): Promise<void> {
  await sql`insert into organisation (name) select 'Customer ' || n from generate_series(1, ${ORGANISATIONS}) n
    where not exists (select from organisation)`.execute(owner)
  await sql`
    insert into audit (request_id, call, actor_email, actor_role, organisation_id, address, refused, detail, at)
    select md5(n::text), call, 'person' || n % 5000 || '@customer' || org % 200 || '.test', 'admin', o.id, '10.0.0.1',
      case when n % 50 = 0 then 'forbidden' end,
      jsonb_build_object('query', '{}'::jsonb, 'body', jsonb_build_object('trainingName', 'Training ' || n % 700,
        'machine', 'ty-linux-' || n % 90000, 'operation', n % 2)),
      portal_now() - make_interval(secs => n * 31)
    from generate_series(1, ${count}::int) n
    cross join lateral (select (n::bigint * n % 40000)::int / 200 as org,
      (array['machine.power', 'machine.power', 'session.login', 'machine.restart', 'port.open'])[1 + n % 5] as base) x
    cross join lateral (select case when n % 20000 = 0 then 'image.capture' else base end as call) c
    join (select id, row_number() over (order by name) - 1 as place from organisation) o on o.place = org % 200`.execute(
    owner,
  )
}

function queries() {
  return {
    'the newest of all': {},
    'of one customer': { organization: 'Customer 7' },
    'of one person': { person: 'person77@customer77.test' },
    'of a common call': { call: 'machine.power' },
    'of a rare call': { call: 'image.capture' },
    'of a rare call of one customer': { call: 'image.capture', organization: 'Customer 7' },
    'a common word': { text: 'linux' },
    'a rare word': { text: '89999' },
    'a word that is nowhere': { text: 'nowhere' },
    'words of one customer': { text: 'training 77', organization: 'Customer 7' },
    'a training and a call': { text: 'training 699', call: 'port.open' },
    'two common words that never meet': { text: 'forbidden restart' },
    'those of one customer': { text: 'forbidden restart', organization: 'Customer 7' },
    'a common word and a call that never meet': { text: 'forbidden', call: 'port.open' },
    'three words': { text: 'training 699 port' },
    'of a day half a year ago': { from: daysAgo(180), until: daysAgo(179) },
    'a word of a day half a year ago': { text: 'ty-linux-5', from: daysAgo(180), until: daysAgo(179) },
    'a page far back': { before: `${daysAgo(300).slice(0, 23)}000Z.5` },
  }
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

function list(query: object) {
  const actor = { role: 'superadmin', organisation: null }
  return auditHandlers.list(db, { actor, query } as unknown as Parameters<typeof auditHandlers.list>[1])
}

async function secondsOf(callback: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await callback()
  return (performance.now() - startedAt) / 1_000
}
