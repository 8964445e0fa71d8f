import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { RosterRow } from '../../../db/tables/rosters.gen.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { addableEmails } from '../../people/user/domain-owner.ts'
import { ensureLearners } from '../../people/user/invite-users.ts'

/**
 * Updates the instructors of the training: adds instructors that the roster lists, and removes instructors that the
 * roster added and no longer lists. Adds only users with the role user, because admins lead every class. Does not
 * remove instructors that an admin added.
 */
export async function applyInstructors(tx: Tx, jobs: JobQueue, roster: RosterRow): Promise<void> {
  await sql`
    with ended as (
      update roster_member m set instructor_given = false
      where roster_id = ${roster.id} and instructor_given and (role <> 'instructor' or left_at is not null)
      returning email)
    delete from training_instructor i using portal_user u
    where i.training_id = ${roster.training_id} and u.id = i.user_id and u.email in (select email from ended)
      and not exists (select from roster_member other where other.roster_id = ${roster.id} and other.email = u.email
        and other.role = 'instructor' and other.left_at is null)`.execute(tx)
  const { rows: missing } = await sql<{ email: string; name: string | null }>`
    select distinct on (m.email) m.email, m.name from roster_member m
    where m.roster_id = ${roster.id} and m.role = 'instructor' and m.left_at is null and not m.instructor_given
      and not m.by_hand and not exists (
        select from portal_user u where u.email = m.email and u.role <> 'user')
    order by m.email`.execute(tx)
  if (missing.length === 0) return
  const { addable, refused } = await addableEmails(
    tx,
    roster.organisation_id,
    missing.map(({ email }) => email),
  )
  const names = new Map(missing.flatMap(({ email, name }) => (name === null ? [] : [[email, name] as const])))
  await ensureLearners(tx, jobs, roster.organisation_id, addable, names)
  await sql`
    with given as (
      insert into training_instructor (training_id, organisation_id, user_id, added_by)
      select ${roster.training_id}, ${roster.organisation_id}, u.id, ${roster.made_by}
      from portal_user u where u.email = any(${[...addable]}::text[]) and u.role = 'user'
        and u.organisation_id = ${roster.organisation_id}
      on conflict do nothing returning user_id)
    update roster_member m set instructor_given = true, problem = null
    from given join portal_user u on u.id = given.user_id
    where m.roster_id = ${roster.id} and m.email = u.email and m.role = 'instructor'`.execute(tx)
  await sql`
    update roster_member m set problem = r.problem
    from unnest(${refused.map(({ email }) => email)}::text[], ${refused.map(({ problem }) => problem)}::text[])
      as r (email, problem)
    where m.roster_id = ${roster.id} and m.email = r.email`.execute(tx)
}
