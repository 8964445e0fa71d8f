import { sql } from 'kysely'
import { AUDIT_EXPORT_MAX } from '@trainyard/contract/words/limits.ts'
import { auditResult, auditWords } from '@trainyard/contract/words/audit.ts'
import type { AuditRow as ShownRow } from '@trainyard/contract/calls/audit.ts'
import type { Actor } from '../../core/actor.ts'
import { csvLine } from '../../core/csv.ts'
import type { Db } from '../../db/schema.ts'
import { type AuditRow, auditRow, auditSeal, type Seal } from './chain.ts'
import { writeLine } from './copy.ts'
import type { RowsAsked } from './filter.ts'
import { auditRows, tellTo } from './list.ts'

/** Number of rows read per query. */
const PAGE = 1_000

/** Reads pages of rows, newest first, up to the maximum of one file. */
async function* pages<Row>(read: (before: string | undefined) => Promise<{ rows: Row[]; mark: string | undefined }>) {
  let before: string | undefined
  for (let sent = 0; sent < AUDIT_EXPORT_MAX; sent += PAGE) {
    const { rows, mark } = await read(before)
    yield rows
    if (rows.length < PAGE) return
    before = mark
  }
}

/** Writes rows as JSON lines with their seals. The first line contains the filter. */
export async function* jsonLines(db: Db, reader: Actor, of: RowsAsked, selection: object): AsyncIterable<string> {
  yield writeLine({ selection })
  for await (const found of pages((before) => shown(db, of, before))) {
    const ids = found.map(({ id }) => id)
    const { rows } = await sql<{ row: AuditRow; seal: Seal | null }>`
      select ${auditRow('a')} as row, case when s.position is null then null else ${auditSeal('s')} end as seal
      from audit a left join audit_seal s on s.audit_id = a.id
      where a.id = any(${ids}::bigint[]) order by a.at desc, a.id desc`.execute(db)
    for (const { row, seal } of rows) {
      const told = tellTo(reader, row)
      // The seal covers the full row and does not match one with hidden details.
      yield writeLine({ row: told, seal: told === row ? seal : null })
    }
  }
}

const HEAD = [
  'Time (UTC)',
  'Person',
  'Access level',
  'Organisation',
  'Address',
  'Call',
  'What',
  'Result',
  'Details',
  'Before',
  'After',
  'Position',
]

/** Writes rows as CSV (RFC 4180). */
export async function* csvLines(db: Db, reader: Actor, of: RowsAsked): AsyncIterable<string> {
  yield `\uFEFF${csvLine(HEAD)}`
  for await (const rows of pages((before) => shown(db, of, before))) {
    for (const row of rows) {
      yield csvLine([
        row.at,
        row.person,
        row.role,
        row.organization,
        row.address,
        row.call,
        auditWords(row.call),
        auditResult(row.refused),
        document(tellTo(reader, row).detail),
        document(row.before),
        document(row.after),
        row.position,
      ])
    }
  }
}

async function shown(db: Db, of: RowsAsked, before: string | undefined) {
  const found = await auditRows(db, of, { before, limit: PAGE })
  return { rows: found.map(({ row }): ShownRow => row), mark: found.at(-1)?.mark }
}

const document = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
