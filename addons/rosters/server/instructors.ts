import { sql } from 'kysely'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RosterRow } from '../tables.gen.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { addableEmails } from '@trainyard/users/server/domain-owner.ts'
import { ensureLearners } from '@trainyard/users/server/invite-users.ts'
import { endInstructors } from '@trainyard/trainings/server/instructor.ts'
import { markEndedInstructors, selectMissingInstructors, insertInstructors, updateProblems } from './queries.ts'

/**
 * Updates the instructors of the training: adds instructors that the roster lists, and removes instructors that the
 * roster added and no longer lists. Adds only users with the role user, because admins lead every class. Does not
 * remove instructors that an admin added.
 */
export async function applyInstructors(tx: Tx, jobs: JobQueue, roster: RosterRow): Promise<void> {
  const { rows } = await markEndedInstructors(tx, roster.id)
  const ended = rows.map(({ user }) => user)
  if (ended.length > 0)
    await endInstructors(tx, sql<boolean>`training_id = ${roster.training_id} and user_id = any(${ended}::uuid[])`)
  const { rows: missing } = await selectMissingInstructors(tx, roster.id)
  if (missing.length === 0) return
  const { addable, refused } = await addableEmails(
    tx,
    roster.organisation_id,
    missing.map(({ email }) => email),
  )
  const names = new Map(missing.flatMap(({ email, name }) => (name === null ? [] : [[email, name] as const])))
  await ensureLearners(tx, jobs, roster.organisation_id, addable, names)
  await insertInstructors(tx, {
    training: roster.training_id,
    organisation: roster.organisation_id,
    madeBy: roster.made_by,
    addable: [...addable],
    roster: roster.id,
  })
  await updateProblems(tx, refused, roster.id)
}
