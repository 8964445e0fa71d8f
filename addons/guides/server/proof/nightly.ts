import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { selectProofsDue } from './queries.ts'
import { startProof } from './store.ts'

/** Starts the proofs that are due. */
export async function proveBeforeClasses(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await selectProofsDue(db)
  for (const { version, template } of rows) {
    if (signal.aborted) return
    await db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('guide_version')
        .select(['id', 'organisation_id', 'content'])
        .where('id', '=', version)
        .executeTakeFirst()
      if (row !== undefined) await startProof(tx, row, template, null).catch(ignoreProblem)
    })
  }
}

/** An admin may have started the same proof, or changed the template. */
function ignoreProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}
