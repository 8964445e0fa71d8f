import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { COST_BAD_LINES } from '../contract/cost-words.ts'
import type { CostImportId } from '@trainyard/platform/contract/words/ids.ts'
import { isDatabaseBusy, isDatabaseLost } from '@trainyard/platform/server/db/lost.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { CostImportRow } from '../tables.gen.ts'
import { digestOf, readFile, RefusedFile } from './read-file.ts'
import { storeLines } from './store-lines.ts'
import { lockName } from '@trainyard/platform/server/db/client.ts'
import {
  deleteAbandonedImports,
  selectWaitingImport,
  selectImportSummary,
  countUnclaimed,
  selectSameImport,
  deleteOlderLines,
  insertImportAudit,
  type Ended,
  type PlacedLine,
} from './queries.ts'

/** Number of lines per statement and per progress update. */
const BATCH = 2_000
const PROGRESS_INTERVAL = 10_000

export async function importWaiting(db: Db, signal: AbortSignal): Promise<void> {
  await deleteAbandonedImports(db)
  for (;;) {
    const next = await db
      .selectFrom('cost_import')
      .selectAll()
      .where('state', '=', 'waiting')
      .orderBy('made_at')
      .limit(1)
      .executeTakeFirst()
    if (next === undefined) return
    await importOne(db, next, signal)
  }
}

/** Thrown to roll back an import. The error contains the final state, which is stored instead. */
class ImportEnd extends Error {
  readonly to: Partial<Ended> & Pick<Ended, 'state'>

  constructor(to: ImportEnd['to']) {
    super(to.state)
    this.to = to
  }
}

async function importOne(db: Db, row: CostImportRow, signal: AbortSignal): Promise<void> {
  try {
    await db.transaction().execute((tx) => runImport(db, tx, row, signal))
  } catch (thrown) {
    const end = thrown instanceof RefusedFile ? new ImportEnd({ state: 'refused', refusal: thrown.message }) : thrown
    if (!(end instanceof ImportEnd)) throw thrown
    await db.transaction().execute((tx) => finishImport(tx, row, end.to))
  }
}

async function runImport(db: Db, tx: Tx, row: CostImportRow, signal: AbortSignal): Promise<void> {
  // Waits for a worker that lost its lease and may still be running the import.
  await lockName(tx, 'cost import')
  const { rows } = await selectWaitingImport(tx, row.id)
  if (rows.length === 0) return
  const files = await filesOf(tx, row)
  const digest = createHash('sha256')
    .update([...files.keys()].toSorted().join(' '))
    .digest('hex')
  const before = await findSameImport(tx, digest)
  if (before !== null) throw new ImportEnd({ ...before, digest, state: 'same' })
  const all = await readAll(db, tx, row, [...files.values()], signal)
  const bad = { bad_count: all.badCount, bad_lines: JSON.stringify(all.bad) }
  const known = { ...bad, digest, format: all.format, lines_read: all.read }
  if (all.badCount > 0 && !row.leave_out_bad) {
    throw new ImportEnd({ ...known, state: 'refused', refusal: badLinesSentence(all.badCount) })
  }
  if (all.stored === 0) throw new ImportEnd({ ...known, state: 'refused', refusal: 'No line could be read.' })
  const replaced = await replaceOlder(tx, row.id)
  const { rows: summaries } = await selectImportSummary(tx, row.id)
  const { unclaimed } = (await countUnclaimed(tx, row.id)).rows[0]!
  const counts = {
    read: all.read,
    matched: all.stored - unclaimed,
    unmatched: unclaimed,
    leftOut: { doubled: all.doubled, unreadable: all.badCount, aboveHeader: all.aside },
  }
  const summary = { ...summaries[0]!.summary, replaced, doubled: all.doubled, counts }
  await finishImport(tx, row, { ...known, state: 'done', line_count: all.stored, summary: JSON.stringify(summary) })
}

interface ReadResult {
  /** Number of all lines except headers: stored, duplicate and unreadable lines, and lines above the header. */
  readonly read: number
  readonly aside: number
  readonly stored: number
  readonly doubled: number
  readonly badCount: number
  readonly bad: readonly { readonly file: string; readonly line: number; readonly reason: string }[]
  readonly format: string
}

/** Returns the files by digest, so that a file that was uploaded twice counts once. */
async function filesOf(tx: Tx, row: CostImportRow): Promise<ReadonlyMap<string, number>> {
  const files = new Map<string, number>()
  for (const [file, name] of row.file_names.entries()) {
    const digest = await digestOf(name, partsOf(tx, row, file))
    if (!files.has(digest)) files.set(digest, file)
  }
  return files
}

async function readAll(
  db: Db,
  tx: Tx,
  row: CostImportRow,
  files: readonly number[],
  signal: AbortSignal,
): Promise<ReadResult> {
  const bad: ReadResult['bad'][number][] = []
  const formats = new Set<string>()
  let [stored, doubled, badCount, aside, read] = [0, 0, 0, 0, 0]
  for (const file of files) {
    const name = row.file_names[file]!
    const reading = readFile(name, () => partsOf(tx, row, file))
    let batch: PlacedLine[] = []
    const flush = async () => {
      signal.throwIfAborted()
      const added = await storeLines(tx, row.id, batch)
      stored += added
      doubled += batch.length - added
      batch = []
    }
    for await (const each of reading.lines) {
      if ('bill' in each) batch.push({ file, line: each.line, bill: each.bill })
      else if (each.isAside) aside++
      else if (++badCount <= COST_BAD_LINES) bad.push({ file: name, line: each.line, reason: each.reason })
      if (batch.length >= BATCH) await flush()
      if (++read % PROGRESS_INTERVAL === 0) await reportProgress(db, row.id, read)
    }
    await flush()
    formats.add(reading.format())
  }
  await reportProgress(db, row.id, read)
  // The reader reports unreadable lines early, so they are not yet sorted by their position in the file.
  bad.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  return { read, aside, stored, doubled, badCount, bad, format: [...formats].join(', ') }
}

/**
 * Reports the progress on a separate connection, so that other transactions see it. Reports nothing if no connection is
 * free.
 */
async function reportProgress(db: Db, id: CostImportId, lines: number): Promise<void> {
  try {
    await db.updateTable('cost_import').set({ lines_read: lines }).where('id', '=', id).execute()
  } catch (error) {
    if (!isDatabaseLost(error) && !isDatabaseBusy(error)) throw error
  }
}

async function* partsOf(tx: Tx, { id, file_parts }: CostImportRow, file: number): AsyncIterable<Buffer> {
  for (let place = 0; place < file_parts[file]!; place += 1) {
    const { bytes } = await tx
      .selectFrom('cost_import_part')
      .select('bytes')
      .where('import_id', '=', id)
      .where('file', '=', file)
      .where('place', '=', place)
      .executeTakeFirstOrThrow()
    yield bytes
  }
}

/** Returns an earlier import of the same files, if all its lines are still stored. */
async function findSameImport(tx: Tx, digest: string): Promise<Pick<Ended, 'line_count' | 'format'> | null> {
  const { rows } = await selectSameImport(tx, digest)
  return rows[0] ?? null
}

/** Deletes the lines that this import replaces. Each export covers a whole billing period of its accounts. */
async function replaceOlder(tx: Tx, id: CostImportId): Promise<number> {
  const { numAffectedRows } = await deleteOlderLines(tx, id)
  return Number(numAffectedRows ?? 0)
}

async function finishImport(tx: Tx, row: CostImportRow, ended: ImportEnd['to']): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('cost_import')
    .set({ ...ended, ended_at: sql<Date>`portal_now()` })
    .where('id', '=', row.id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await tx.deleteFrom('cost_import_part').where('import_id', '=', row.id).execute()
  await insertImportAudit(
    tx,
    row.id,
    row.made_by,
    JSON.stringify({
      files: row.file_names,
      state: ended.state,
      lines: ended.line_count ?? 0,
    }),
  )
}

const badLinesSentence = (count: number): string =>
  `${count === 1 ? 'One line' : `${count} lines`} can’t be read, so nothing was imported. Correct the file, or import it without the unreadable lines.`
