import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { cost } from '../contract/cost.ts'
import { COST_PART_BYTES } from '../contract/cost-words.ts'
import type { CostImportId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { countOpenImports, upsertPart, countParts, selectImports, type Listed } from './queries.ts'

const MAX_PENDING = 5

export async function beginImport(
  tx: Tx,
  actor: Actor,
  { files, leaveOutBad }: BodyOf<typeof cost.begin>,
): Promise<CostImportId> {
  const { rows } = await countOpenImports(tx)
  if (rows[0]!.count >= MAX_PENDING) {
    throw conflict('Other imports are in progress. Wait until they have finished, or delete one.')
  }
  const { id } = await tx
    .insertInto('cost_import')
    .values({
      file_names: files.map(({ name }) => name),
      file_parts: files.map(({ bytes }) => Math.ceil(bytes / COST_PART_BYTES)),
      leave_out_bad: leaveOutBad,
      made_by: actor.email,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores a part. Returns the number of missing parts. After the last part, a worker runs the import. */
export async function storePart(tx: Tx, { _id, file, place, bytes }: BodyOf<typeof cost.send>): Promise<number> {
  const found = await tx
    .selectFrom('cost_import')
    .select(['file_parts', 'state'])
    .where('id', '=', _id as CostImportId)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw notFound('import')
  // The client sent the part again, because the reply was lost.
  if (found.state !== 'receiving') return 0
  const part = Buffer.from(bytes, 'base64')
  const parts = found.file_parts[file]
  if (parts === undefined || place >= parts) throw new Problem('invalid', 'The import has no such part.')
  if (place < parts - 1 && part.length !== COST_PART_BYTES) {
    throw new Problem('invalid', `Every part except the last must have ${COST_PART_BYTES} bytes.`)
  }
  await upsertPart(tx, _id, file, place, part)
  const { rows } = await countParts(tx, _id)
  const missing = found.file_parts.reduce((sum, count) => sum + count, 0) - rows[0]!.count
  if (missing > 0) return missing
  await tx
    .updateTable('cost_import')
    .set({ state: 'waiting' })
    .where('id', '=', _id as CostImportId)
    .execute()
  return 0
}

/** Deletes an import. If the import is in progress, it is deleted after it has finished. */
export async function removeImport(tx: Tx, id: CostImportId): Promise<void> {
  await tx.deleteFrom('cost_line').where('import_id', '=', id).execute()
  const { numDeletedRows } = await tx.deleteFrom('cost_import').where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('import')
}

export async function importsOf(db: Db): Promise<Listed[]> {
  const { rows } = await selectImports(db)
  return rows.map((row) => ({
    ...row,
    madeAt: row.madeAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }))
}
