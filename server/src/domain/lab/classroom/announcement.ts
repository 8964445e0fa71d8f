import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Tx } from '../../../db/schema.ts'
import type { TrainingInScope } from '../training/scope.ts'

/** Publishes an announcement, which replaces the previous announcement. */
export async function announce(
  tx: Tx,
  actor: Actor,
  training: TrainingInScope,
  { text, minutes }: { readonly text: string; readonly minutes: number },
): Promise<void> {
  await sql`
    insert into announcement (training_id, organisation_id, text, made_by, ends_at)
    values (${training.id}, ${training.organisationId}, ${text}, ${actor.email},
      portal_now() + make_interval(mins => ${minutes}))
    on conflict (training_id) do update set text = excluded.text, made_by = excluded.made_by,
      made_at = portal_now(), ends_at = excluded.ends_at`.execute(tx)
}

export async function removeAnnouncement(tx: Tx, training: TrainingId): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`
    delete from announcement where training_id = ${training} returning ends_at > portal_now() as shown`.execute(tx)
  return rows[0]?.shown ?? false
}
