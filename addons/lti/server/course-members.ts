import type { Again } from '@trainyard/platform/server/run/reconcile/task.ts'
import { sql } from 'kysely'
import type { LmsCourseId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { type Lms, LmsError, type LtiClaims } from './lms-provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { applyRoster, recordLaunch, rostersOf } from '@trainyard/rosters/server/apply.ts'
import type { ListedMember } from '@trainyard/rosters/server/compare.ts'
import type { RosterLists } from '@trainyard/rosters/server/http.ts'
import { addressOf, endUnlistedRoles, type LmsIdentity } from './lms-user.ts'
import { isInstructor, isLearner, nameOf } from './claims.ts'
import { signingKeyOf } from './keys.ts'
import { activePlatform, addressesOf } from './platform.ts'
import { selectCourse, upsertMembers, type CourseMember } from './queries.ts'
import { dueIds, type Room, type Visit, visitLmss } from './visits.ts'

const KIND = 'lti_course'
/** Interval between two reads of a course, in minutes. */
const ROSTER_MINUTES = 60

/** SQL: true if the members of a course must be read. */
export const COURSE_DUE = sql<boolean>`coalesce((select true from lms_course where roster_due_at <= portal_now()
  order by roster_due_at limit 1), false)`

/** Courses of the organisation's LMSs. Trainings can follow these courses. */
export const courseLists: RosterLists = {
  kind: KIND,
  async listsOf(db, organisation) {
    const rows = await db
      .selectFrom('lms_course as c')
      .innerJoin('lms_platform as p', 'p.id', 'c.platform_id')
      .select(['c.id', 'c.title', 'p.name'])
      .select((eb) =>
        eb
          .selectFrom('lms_member as m')
          .select((m) => m.fn.countAll<number>().as('count'))
          .whereRef('m.course_id', '=', 'c.id')
          .as('members'),
      )
      .where('c.organisation_id', '=', organisation)
      .where('c.memberships_url', 'is not', null)
      .orderBy('c.title')
      .limit(500)
      .execute()
    return rows.map(({ id, title, name, members }) => ({ key: id, name: `${title} (${name})`, members: members ?? 0 }))
  },
  membersOf: courseMembers,
}

async function courseMembers(db: Db, organisation: OrganisationId, key: string) {
  const { rows } = await selectCourse(db, key, organisation)
  const [course] = rows
  if (course === undefined) return null
  const stored = await db
    .selectFrom('lms_member as m')
    .leftJoin('lms_identity as i', (join) =>
      join
        .onRef('i.organisation_id', '=', 'm.organisation_id')
        .onRef('i.subject', '=', 'm.subject')
        .on('i.issuer', '=', course.issuer),
    )
    .leftJoin('portal_user as u', 'u.id', 'i.user_id')
    .select(['m.subject', 'm.name', 'm.role', 'u.email'])
    .where('m.course_id', '=', course.id)
    .execute()
  const members = stored.map(({ subject, name, role, email }): ListedMember => ({
    externalId: subject,
    // The e-mail address that the LMS sent is not verified, so it is not used.
    email: email ?? addressOf({ organisation_id: organisation, issuer: course.issuer, subject }),
    name,
    role,
    active: true,
  }))
  return { name: `${course.title} (${course.name})`, members }
}

export interface CourseDependencies {
  readonly db: Db
  readonly seal: Seal
  readonly lms: Lms
  readonly jobQueue: JobQueue
  readonly publicUrl: string
  readonly onBug: (bug: unknown) => void
}

interface DueCourse extends Visit {
  readonly id: LmsCourseId
  readonly platform: string
  readonly url: string
}

/**
 * Returns a task that reads the members of due courses from their LMSs, hourly and after a launch, and applies the
 * members to the rosters.
 */
export function readDueCourses(parts: CourseDependencies): (signal: AbortSignal) => Promise<Again | void> {
  const { db, onBug } = parts
  const columns = { table: 'lms_course', due: 'roster_due_at', attempts: 'roster_attempts' }
  // The next read is scheduled before the LMS is called, so that a failed read is not retried immediately.
  const claim = async (room: Room) =>
    (
      await sql<DueCourse>`
        update lms_course set roster_due_at = portal_now() + make_interval(mins => ${ROSTER_MINUTES})
        where id in (${dueIds(columns, room)}) and roster_due_at <= portal_now()
        returning id, platform_id as platform, organisation_id as organisation, memberships_url as url,
          roster_attempts > 0 as "isFailing"`.execute(db)
    ).rows
  return visitLmss(
    claim,
    async (course, { deadline, stopping }) => {
      try {
        await readCourse(parts, course, deadline)
      } catch (error) {
        const failed = db.updateTable('lms_course').where('id', '=', course.id)
        // The next worker reads the course.
        if (stopping.aborted) return void (await failed.set({ roster_due_at: sql<Date>`portal_now()` }).execute())
        if (!(error instanceof LmsError)) throw error
        await failed
          .set({
            roster_problem: error.message,
            roster_attempts: sql<number>`roster_attempts + 1`,
            // Exponential backoff up to the regular interval.
            roster_due_at: sql<Date>`portal_now()
              + make_interval(mins => least(power(2, least(roster_attempts, 20)), ${ROSTER_MINUTES})::int)`,
          })
          .execute()
      }
    },
    onBug,
  )
}

async function readCourse(
  { db, seal, lms, jobQueue, publicUrl }: CourseDependencies,
  course: DueCourse,
  deadline: AbortSignal,
): Promise<void> {
  const platform = await activePlatform(db, course.platform).catch(() => null)
  if (platform === null) return
  const key = await signingKeyOf(db, seal, platform.id)
  const client = { ...platform, key, ownKeySetUrl: addressesOf(publicUrl, platform.id).keySet }
  const members = membersIn(await lms.members(client, course.url, deadline))
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('lms_course').select('id').where('id', '=', course.id).forNoKeyUpdate().execute()
    const before = await tx
      .selectFrom('lms_member')
      .select('subject')
      .where('course_id', '=', course.id)
      .limit(1)
      .executeTakeFirst()
    // A failing LMS may send an empty list, so an empty list is not applied.
    if (members.length === 0 && before !== undefined) {
      throw new LmsError('invalid', 'The LMS sent an empty list of members. The previous list stays in effect.')
    }
    const instructors = members.filter(({ role }) => role === 'instructor').map(({ subject }) => subject)
    await endUnlistedRoles(tx, course.id, instructors)
    await tx.deleteFrom('lms_member').where('course_id', '=', course.id).execute()
    await upsertMembers(tx, course.id, course.organisation, members)
    await tx
      .updateTable('lms_course')
      .set({ roster_read_at: sql<Date>`portal_now()`, roster_problem: null, roster_attempts: 0 })
      .where('id', '=', course.id)
      .execute()
    await applyCourse(tx, jobQueue, course)
  })
}

/** Applies the stored members of a course to the rosters that follow the course. */
async function applyCourse(
  tx: Tx,
  jobs: JobQueue,
  { id, organisation }: { readonly id: LmsCourseId; readonly organisation: OrganisationId },
): Promise<void> {
  const rosters = await rostersOf(tx, organisation, KIND, id)
  if (rosters.length === 0) return
  const list = await courseMembers(tx, organisation, id)
  for (const roster of rosters) await applyRoster(tx, jobs, roster, list!.members)
}

/**
 * Applies the stored members of the user's courses to the rosters that follow these courses, after the user's portal user
 * was linked. The rosters then use the linked portal user, who also receives the machines that were ordered before.
 */
export async function applyLinkedUser(
  tx: Tx,
  jobs: JobQueue,
  { organisation_id: organisation, issuer, subject }: LmsIdentity,
): Promise<void> {
  // Courses are locked in the order of their IDs, so that concurrent requests do not deadlock.
  const courses = await tx
    .selectFrom('lms_member as m')
    .innerJoin('lms_course as c', 'c.id', 'm.course_id')
    .innerJoin('lms_platform as p', 'p.id', 'c.platform_id')
    .select('c.id')
    .where('m.subject', '=', subject)
    .where('c.organisation_id', '=', organisation)
    .where('p.issuer', '=', issuer)
    .orderBy('c.id')
    .execute()
  for (const { id } of courses) await applyCourse(tx, jobs, { id, organisation })
}

/** Returns the active learners and instructors of a course. A missing status means active. */
function membersIn(list: readonly LtiClaims[]): readonly CourseMember[] {
  const found = new Map<string, CourseMember>()
  for (const member of list) {
    const { user_id: subject, status = 'Active', roles } = member
    if (typeof subject !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(subject) || status !== 'Active') continue
    const named = Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : []
    const role = isInstructor(named) ? 'instructor' : isLearner(named) ? 'learner' : null
    if (role !== null) found.set(subject, { subject, name: nameOf(member), role })
  }
  return [...found.values()]
}

/** Adds the user of a launch to the rosters of the course. Schedules a machine if the rule is `on_first_launch`. */
export async function applyLaunch(
  tx: Tx,
  jobs: JobQueue,
  {
    course,
    organisation,
    subject,
    name,
    isInstructor: instructs,
  }: {
    readonly course: LmsCourseId
    readonly organisation: OrganisationId
    readonly subject: string
    readonly name: string | null
    readonly isInstructor: boolean
  },
): Promise<void> {
  // An instructor gets the role by the launch. The list of the LMS need not contain all users who may edit a course.
  if (instructs) return
  const rosters = await rostersOf(tx, organisation, KIND, course)
  if (rosters.length === 0) return
  const added = await tx
    .insertInto('lms_member')
    .values({
      course_id: course,
      organisation_id: organisation,
      subject,
      name,
      role: 'learner',
    })
    .onConflict((on) => on.doNothing())
    .returning('subject')
    .executeTakeFirst()
  if (added !== undefined) await applyCourse(tx, jobs, { id: course, organisation })
  for (const roster of rosters) await recordLaunch(tx, roster, subject)
}
