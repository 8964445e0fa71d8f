import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../db/schema.ts'

/** Learner of the demo who is also a student of the course and has active minutes. */
export const LEARNER = { email: 'learner@globex.test', subject: '21' }

const ACTIVE_MINUTES = 25

export const lockUsersTable = (tx: Tx) => sql`lock table portal_user in share row exclusive mode`.execute(tx)

export const insertLmsIdentity = (tx: Tx, issuer: string) =>
  sql`
    insert into lms_identity (organisation_id, issuer, subject, user_id)
    select organisation_id, ${issuer}, ${LEARNER.subject}, id from portal_user where email = ${LEARNER.email}`.execute(
    tx,
  )

export const insertActivity = (tx: Tx, training: TrainingId) =>
  sql`
    with session as (
      insert into remote_session (session_hash, email, machine_id, organisation_id, opened_at, seen_at, closed_at, ended)
      select '', email, id, organisation_id, began, began + make_interval(mins => ${ACTIVE_MINUTES}),
        began + make_interval(mins => ${ACTIVE_MINUTES}), 'Closed.'
      from machine, (select portal_now() - interval '3 days' as began) as given
      where training_id = ${training} and email = ${LEARNER.email} and terminated_at is not null limit 1
      returning id, organisation_id, opened_at, closed_at)
    insert into remote_input (remote_session_id, organisation_id, began_at, ended_at)
    select id, organisation_id, opened_at, closed_at from session`.execute(tx)

export const insertOutcomes = (tx: Tx, training: TrainingId) =>
  sql`
    insert into schedule_outcome (schedule_id, organisation_id, machine_id, outcome, reason)
    select s.id, s.organisation_id, m.id, 'skipped', 'already stopped'
    from schedule s join machine m on m.training_id = s.training_id
    where s.training_id = ${training} and not s.missed
      and m.created_at < s.completed_at and m.terminated_at > s.completed_at`.execute(tx)
