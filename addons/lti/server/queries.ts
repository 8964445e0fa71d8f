import { sql } from 'kysely'
import type {
  LmsCourseId,
  OrganisationId,
  LmsPlatformId,
  LmsLinkId,
  TrainingId,
  UserId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

export interface CourseMember {
  readonly subject: string
  readonly name: string | null
  readonly role: 'learner' | 'instructor'
}

/**
 * Time between the publication of a key and its first use, and between its last use and its removal. LMSs cache key
 * sets.
 */
export const OVERLAP = sql`interval '1 day'`

/** Maximum number of deployments of an LMS. An LMS creates a row by sending an unknown deployment. */
const DEPLOYMENTS_MAX = 200

export const addedBy = (platform: string): string => `LMS: ${platform}`

export interface LearnerRow {
  readonly subject: string
  readonly email: string
  readonly sent: number | null
  readonly of: number | null
}

export const selectCourse = (db: Db, key: string, organisation: OrganisationId) =>
  sql<{ id: LmsCourseId; title: string; name: string; issuer: string }>`
    select c.id, c.title, p.name, p.issuer from lms_course c join lms_platform p on p.id = c.platform_id
    where c.id::text = ${key} and c.organisation_id = ${organisation} and p.issuer is not null`.execute(db)

export const upsertMembers = (
  tx: Tx,
  course: LmsCourseId,
  organisation: OrganisationId,
  members: readonly CourseMember[],
) =>
  sql`
    insert into lms_member (course_id, organisation_id, subject, name, role)
    select ${course}, ${organisation}, given.subject, given.name, given.role
    from unnest(${members.map((m) => m.subject)}::text[], ${members.map((m) => m.name)}::text[],
      ${members.map((m) => m.role)}::text[]) as given (subject, name, role)`.execute(tx)

export const deleteOldKeys = (db: Db) =>
  sql`
    delete from lms_key old where exists (
      select from lms_key newer where newer.platform_id = old.platform_id and newer.created_at > old.created_at
        and newer.created_at <= portal_now() - 2 * ${OVERLAP})`.execute(db)

export const insertDeployment = (db: Db, platform: LmsPlatformId, organisation: OrganisationId, deployment: string) =>
  sql`
    insert into lms_deployment (platform_id, organisation_id, deployment_id, seen_at)
    select ${platform}, ${organisation}, ${deployment}, portal_now()
    where (select count(*) from lms_deployment where platform_id = ${platform}) < ${DEPLOYMENTS_MAX}
    on conflict do nothing`.execute(db)

/** SQL: condition on a row `i` of `training_instructor` that an LMS added. */
const ADDED_BY_LMS = sql<boolean>`i.added_by like ${`${addedBy('')}%`}`

export const addedByLms = (training: TrainingId, user: UserId) => sql<boolean>`
  i.training_id = ${training} and i.user_id = ${user} and ${ADDED_BY_LMS}`

/** SQL: condition on instructors `i` whose training has no course. */
export const hasNoCourse = (organisation: OrganisationId) => sql<boolean>`
  i.organisation_id = ${organisation} and ${ADDED_BY_LMS}
    and not exists (select from lms_course c where c.training_id = i.training_id)`

/** SQL: `(select subject, training_id, organisation_id, issuer)` of the members whom the LMS no longer lists. */
const unlistedOf = (course: LmsCourseId, instructors: readonly string[]) => sql`
  select m.subject, c.training_id, c.organisation_id, p.issuer from lms_member m
    join lms_course c on c.id = m.course_id join lms_platform p on p.id = c.platform_id
  where c.id = ${course} and m.role = 'instructor' and m.subject <> all(${[...instructors]}::text[])`

export const deleteTicketsOfUnlisted = (tx: Tx, course: LmsCourseId, instructors: readonly string[]) =>
  sql`
    delete from lms_ticket t using (${unlistedOf(course, instructors)}) u
    where t.course_id = ${course} and t.subject = u.subject and t.is_instructor`.execute(tx)

/** Deletes the completed launches of users. */
export const deleteTicketsOf = (tx: Tx, users: readonly UserId[]) =>
  sql`
    delete from lms_ticket t using lms_identity i
    where i.user_id = any(${users}::uuid[]) and t.organisation_id = i.organisation_id and t.issuer = i.issuer
      and t.subject = i.subject`.execute(tx)

/** SQL: condition on instructors `i` whom neither this course nor another of the training lists. */
export const isUnlisted = (course: LmsCourseId, instructors: readonly string[]) => sql<boolean>`
  ${ADDED_BY_LMS} and exists (
    select from (${unlistedOf(course, instructors)}) u join lms_identity own on own.organisation_id = u.organisation_id
      and own.issuer = u.issuer and own.subject = u.subject
    where u.training_id = i.training_id and own.user_id = i.user_id and not exists (
      select from lms_member other join lms_course c on c.id = other.course_id
        join lms_platform p on p.id = c.platform_id
      where c.training_id = u.training_id and c.id <> ${course} and p.issuer = u.issuer
        and other.subject = u.subject and other.role = 'instructor'))`

export const upsertLink = (
  tx: Tx,
  input: {
    readonly course: LmsCourseId
    readonly link: string
    readonly organisation: OrganisationId
    readonly title: string
    readonly lineItemUrl: string | null
  },
) =>
  sql<{ id: LmsLinkId; lineItemChanged: boolean }>`
    with before as (select line_item_url from lms_link
      where course_id = ${input.course} and resource_link_id = ${input.link})
    insert into lms_link (course_id, organisation_id, resource_link_id, title, line_item_url)
    values (${input.course}, ${input.organisation}, ${input.link}, ${input.title}, ${input.lineItemUrl})
    on conflict (course_id, resource_link_id)
      do update set title = excluded.title, line_item_url = excluded.line_item_url
    returning id, exists (select from before b where b.line_item_url is distinct from ${input.lineItemUrl}) as "lineItemChanged"`.execute(
    tx,
  )

export const selectLearnersWithScores = (db: Db, organisation: OrganisationId, issuer: string, id: LmsLinkId) =>
  sql<LearnerRow>`
    select s.subject, u.email, s.sent, s.sent_of as of
    from lms_score s
      join lms_identity i on i.organisation_id = ${organisation} and i.issuer = ${issuer} and i.subject = s.subject
      join portal_user u on u.id = i.user_id
    where s.link_id = ${id} and coalesce(s.retry_at <= portal_now(), true)
    order by s.subject`.execute(db)

/** Learner of the demo who is also a student of the course and has active minutes. */
export const DEMO_LEARNER = { email: 'learner@globex.test', subject: '21' }

const DEMO_MINUTES = 25

export const insertDemoIdentity = (tx: Tx, issuer: string) =>
  sql`
    insert into lms_identity (organisation_id, issuer, subject, user_id)
    select organisation_id, ${issuer}, ${DEMO_LEARNER.subject}, id from portal_user where email = ${DEMO_LEARNER.email}`.execute(
    tx,
  )

export const insertDemoActivity = (tx: Tx, training: TrainingId) =>
  sql`
    with session as (
      insert into remote_session (session_hash, email, machine_id, organisation_id, opened_at, seen_at, closed_at, ended)
      select '', email, id, organisation_id, began, began + make_interval(mins => ${DEMO_MINUTES}),
        began + make_interval(mins => ${DEMO_MINUTES}), 'Closed.'
      from machine, (select portal_now() - interval '3 days' as began) as given
      where training_id = ${training} and email = ${DEMO_LEARNER.email} and terminated_at is not null limit 1
      returning id, organisation_id, opened_at, closed_at)
    insert into remote_input (remote_session_id, organisation_id, began_at, ended_at)
    select id, organisation_id, opened_at, closed_at from session`.execute(tx)
