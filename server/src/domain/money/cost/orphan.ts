import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { cost } from '@trainyard/contract/calls/cost.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict, notFound, Problem } from '../../../core/errors.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { OrphanRow } from '../../../db/schema/machine.ts'
import type { Cloud } from '../../../providers/cloud.ts'
import type { Kind } from '../../../reconcile/loop.ts'

/** Where a commit tells that an orphan is to be deleted. */
export const ORPHAN_DUE = 'orphan_due'

/** Seconds between looks at what is being deleted: a machine takes long, what it brought does not. */
const PAUSE = { machine: 10, parts: 2 } as const
const AT_ONCE = 4

const CLAIMED = 'A machine of the portal has this place or this tag: it is no orphan.'

/**
 * Wants an orphan deleted at the provider.
 * @throws Problem notFound; invalid where its name was not said twice; conflict without a tag of ours, or with a row
 */
export async function askDeletion(tx: Tx, actor: Actor, body: BodyOf<typeof cost.deleteOrphan>): Promise<void> {
  const { resourceGroup, name, confirm } = body
  const orphan = await tx
    .selectFrom('orphan')
    .selectAll()
    .where('resource_group', '=', resourceGroup.toLowerCase())
    .where('name', '=', name)
    .where('gone_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (orphan === undefined) throw notFound('orphan')
  if (confirm !== name) throw new Problem('invalid', `confirm must be ${name}, to say that this one is meant.`)
  if (orphan.tag === null) throw conflict('It carries no id of the portal, so the portal never deletes it.')
  if (await isClaimed(tx, orphan)) throw conflict(CLAIMED)
  if (orphan.deletion_asked_at !== null) return
  await sql`
    update orphan set deletion_asked_by = ${actor.email}, deletion_asked_at = portal_now(), reconcile_at = portal_now(),
      generation = generation + 1, attempts = 0, last_error = null where id = ${orphan.id}`.execute(tx)
  await notifyWorkers(tx, ORPHAN_DUE)
}

/** Deletes orphans that somebody wants gone, by what they brought, and only what carries the very tag that was seen. */
export const orphanKind = ({ db, cloud }: { readonly db: Db; readonly cloud: Cloud }): Kind<OrphanRow> => ({
  table: 'orphan',
  channel: ORPHAN_DUE,
  atOnce: AT_ONCE,
  async step(orphan, signal) {
    const { resource_group: resourceGroup, name, tag } = orphan
    if (orphan.deletion_asked_at === null || orphan.deleted_at !== null || tag === null) return { next: null }
    // A row that claims it meanwhile goes before whoever asked.
    if (await isClaimed(db, orphan)) {
      return { set: { deletion_asked_by: null, deletion_asked_at: null, last_error: CLAIMED }, next: null }
    }
    const { remaining } = await cloud.deleteMachine(
      { resourceGroup, name, firstSeenAt: orphan.first_seen_at, stands: false, onlyTagged: tag },
      signal,
    )
    if (remaining !== 'nothing') return { next: PAUSE[remaining] }
    return async (tx, row) => {
      await sql`
        insert into audit (request_id, call, actor_email, detail)
        values (${row.id}, 'cost.orphanDeleted', ${row.deletion_asked_by},
          ${JSON.stringify({ resourceGroup, machine: name, tag })})`.execute(tx)
      return { set: { deleted_at: row.now, gone_at: row.gone_at ?? row.now }, next: null }
    }
  },
})

async function isClaimed(db: Db | Tx, { resource_group, name, tag }: OrphanRow): Promise<boolean> {
  const { rows } = await sql`
    select from machine where terminated_at is null
      and (id::text = lower(${tag}) or (name = ${name} and lower(resource_group) = ${resource_group}))`.execute(db)
  return rows.length > 0
}
