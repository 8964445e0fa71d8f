import { sql } from 'kysely'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { OrphanRow } from '../tables.gen.ts'
import { cloudOf, type Clouds } from '@trainyard/templates/server/cloud.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import { insertDeletionAudit, selectClaimant } from './queries.ts'

/**
 * Poll intervals in seconds. Deleting a machine takes longer than deleting its disk, address and network interface
 * (`parts`).
 */
const POLL_SECONDS = { machine: 10, parts: 2 } as const
const CONCURRENCY = 4

const CLAIMED = 'A machine of the portal has this resource group and name, or this tag, so it is not an orphan.'

interface DeletionRequest {
  readonly group: string
  readonly name: string
  readonly confirm: string
}

/**
 * @throws Problem notFound; invalid unless the user repeated its name; conflict if it is untagged or belongs to a
 * machine
 */
export async function requestDeletion(tx: Tx, actor: Actor, body: DeletionRequest): Promise<void> {
  const { group, name, confirm } = body
  const orphan = await tx
    .selectFrom('orphan')
    .selectAll()
    .where('place_group', '=', group.toLowerCase())
    .where('name', '=', name)
    .where('gone_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (orphan === undefined) throw notFound('orphan')
  if (confirm !== name) throw new Problem('invalid', `confirm must be ${name} to confirm the deletion.`)
  if (orphan.tag === null) throw conflict('The resource has no tag of the portal, so the portal does not delete it.')
  if (await isClaimed(tx, orphan)) throw conflict(CLAIMED)
  if (orphan.deletion_asked_at !== null) return
  await setDesiredState(tx, 'orphan', {
    rows: [orphan.id],
    set: sql`deletion_asked_by = ${actor.email}, deletion_asked_at = portal_now()`,
  })
}

/** Deletes orphans, but only resources with the tag that was observed. */
export const orphanKind = ({ db, clouds }: { readonly db: Db; readonly clouds: Clouds }): Kind<OrphanRow> => ({
  table: 'orphan',
  maxConcurrent: CONCURRENCY,
  async step(orphan, signal) {
    const { provider, place_group: group, name, tag } = orphan
    if (orphan.deletion_asked_at === null || orphan.deleted_at !== null || tag === null) return { next: null }
    // If a machine got the tag after the request, the request is cancelled.
    if (await isClaimed(db, orphan)) {
      return { set: { deletion_asked_by: null, deletion_asked_at: null, last_error: CLAIMED }, next: null }
    }
    const { remaining } = await cloudOf(clouds, provider).deleteMachine(
      { place: { group }, name, firstSeenAt: orphan.first_seen_at, isKnownToExist: false, onlyTagged: tag },
      signal,
    )
    if (remaining !== 'nothing') return { next: POLL_SECONDS[remaining] }
    return async (tx, row) => {
      await insertDeletionAudit(
        tx,
        row.id,
        row.deletion_asked_by,
        JSON.stringify({ provider, group, machine: name, tag }),
      )
      return { set: { deleted_at: row.now, gone_at: row.gone_at ?? row.now }, next: null }
    }
  },
})

async function isClaimed(db: Db | Tx, orphan: OrphanRow): Promise<boolean> {
  const { rows } = await selectClaimant(db, orphan)
  return rows.length > 0
}
