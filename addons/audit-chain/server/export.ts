import { AUDIT_EXPORT_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { auditLabel } from '@trainyard/platform/contract/audit-labels.ts'
import { auditResult } from '@trainyard/platform/contract/audit.ts'
import type { AuditRow as ShownRow } from '../contract/audit.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { csvHead, csvLine } from '@trainyard/platform/contract/words/csv.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { writeLine } from './copy.ts'
import type { RowFilter } from './filter.ts'
import { auditRows, redactFor } from './list.ts'
import { selectRowsWithSeals } from './queries.ts'

const PAGE = 1_000

async function* pages<Row>(read: (before: string | undefined) => Promise<{ rows: Row[]; cursor: string | undefined }>) {
  let before: string | undefined
  for (let sent = 0; sent < AUDIT_EXPORT_MAX; sent += PAGE) {
    const { rows, cursor } = await read(before)
    yield rows
    if (rows.length < PAGE) return
    before = cursor
  }
}

export async function* jsonLines(db: Db, reader: Actor, filter: RowFilter, selection: object): AsyncIterable<string> {
  yield writeLine({ selection })
  for await (const found of pages((before) => fetchPage(db, filter, before))) {
    const ids = found.map(({ id }) => id)
    const { rows } = await selectRowsWithSeals(db, ids)
    for (const { row, seal, erasure } of rows) {
      const redacted = redactFor(reader, row)
      // The seal covers the full row, so the export contains no seal for a row with hidden details.
      yield writeLine({
        row: redacted,
        seal: redacted === row ? seal : null,
        ...(erasure !== null && redacted === row && { erasure }),
      })
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

/** Yields the lines of a CSV file (RFC 4180). */
export async function* csvLines(db: Db, reader: Actor, filter: RowFilter): AsyncIterable<string> {
  yield csvHead(HEAD)
  for await (const rows of pages((before) => fetchPage(db, filter, before))) {
    for (const row of rows) {
      yield csvLine([
        row.at,
        row.person,
        row.role,
        row.organization,
        row.address,
        row.call,
        auditLabel(row.call),
        auditResult(row.refused),
        document(redactFor(reader, row).detail),
        document(row.before),
        document(row.after),
        row.position,
      ])
    }
  }
}

async function fetchPage(db: Db, filter: RowFilter, before: string | undefined) {
  const found = await auditRows(db, filter, { before, limit: PAGE })
  return { rows: found.map(({ row }): ShownRow => row), cursor: found.at(-1)?.cursor }
}

const document = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
