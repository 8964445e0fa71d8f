import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

export const lockUsersTable = (tx: Tx) => sql`lock table portal_user in share row exclusive mode`.execute(tx)

export const insertOutcomes = (tx: Tx, training: TrainingId) =>
  sql`
    insert into schedule_outcome (schedule_id, organisation_id, machine_id, outcome, reason)
    select s.id, s.organisation_id, m.id, 'skipped', 'already stopped'
    from schedule s join machine m on m.training_id = s.training_id
    where s.training_id = ${training} and not s.missed
      and m.created_at < s.completed_at and m.terminated_at > s.completed_at`.execute(tx)
