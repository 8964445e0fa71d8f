import { sql } from 'kysely'
import type { LmsPlatform } from '../contract/lms.ts'
import type { LmsCourseId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { addressesOf } from './platform.ts'

/** Maximum number of courses of an organisation in a reply. The most recently seen courses come first. */
const COURSES_SHOWN = 200
const ACTIVITIES_SHOWN = 1_000

/** Returns the LMSs of an organisation with their deployments and courses. */
export async function listPlatforms(db: Db, organisation: OrganisationId, publicUrl: string): Promise<LmsPlatform[]> {
  const platforms = await db
    .selectFrom('lms_platform')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .orderBy('name')
    .execute()
  const deployments = await db
    .selectFrom('lms_deployment')
    .select(['platform_id', 'deployment_id', 'accepted_at', 'seen_at'])
    .where('organisation_id', '=', organisation)
    .orderBy('deployment_id')
    .execute()
  const courses = await db
    .selectFrom('lms_course')
    .leftJoin('training', 'training.id', 'lms_course.training_id')
    .select([
      'lms_course.id',
      'lms_course.platform_id',
      'lms_course.title',
      'training.name',
      'lms_course.seen_at',
      'lms_course.memberships_url',
      'lms_course.roster_read_at',
      'lms_course.roster_problem',
    ])
    .select((eb) =>
      eb
        .selectFrom('lms_member')
        .select((member) => member.fn.countAll<number>().as('count'))
        .whereRef('lms_member.course_id', '=', 'lms_course.id')
        .as('members'),
    )
    .where('lms_course.organisation_id', '=', organisation)
    .orderBy('lms_course.seen_at', 'desc')
    .limit(COURSES_SHOWN)
    .execute()
  const activities = await db
    .selectFrom('lms_link as l')
    .select([
      'l.id',
      'l.course_id',
      'l.title',
      'l.line_item_url',
      'l.score_by',
      'l.score_minutes',
      'l.score_problem',
      'l.score_sent_at',
    ])
    .select((eb) => [
      eb
        .selectFrom('lms_score as s')
        .select((s) => s.fn.countAll<number>().as('count'))
        .whereRef('s.link_id', '=', 'l.id')
        .where('s.sent', 'is not', null)
        .as('scores'),
      eb
        .selectFrom('lms_score as s')
        .select(
          sql<string>`count(*) || case count(*) when 1 then ' learner: ' else ' learners: ' end || min(s.problem)`.as(
            'problem',
          ),
        )
        .whereRef('s.link_id', '=', 'l.id')
        .where('s.problem', 'is not', null)
        .having((s) => s.fn.countAll(), '>', 0)
        .as('refused'),
    ])
    .where('l.organisation_id', '=', organisation)
    .orderBy('l.title')
    .orderBy('l.id')
    .limit(ACTIVITIES_SHOWN)
    .execute()
  const activitiesOf = (course: LmsCourseId) =>
    activities
      .filter(({ course_id }) => course_id === course)
      .map((link) => ({
        id: link.id,
        title: link.title,
        hasColumn: link.line_item_url !== null,
        scoreBy: link.score_by,
        scoreMinutes: link.score_minutes,
        scores: link.scores ?? 0,
        sentAt: link.score_sent_at?.toISOString() ?? null,
        problem: link.score_by === null ? null : (link.score_problem ?? link.refused),
      }))
  return platforms.map((row) => ({
    id: row.id,
    name: row.name,
    state: row.suspended_at !== null ? 'suspended' : row.issuer === null ? 'waiting' : 'ready',
    settings:
      row.issuer === null
        ? null
        : {
            issuer: row.issuer,
            clientId: row.client_id!,
            authorizationUrl: row.authorization_url!,
            tokenUrl: row.token_url!,
            tokenAudience: row.token_audience,
            keySetUrl: row.key_set_url!,
          },
    addresses: addressesOf(publicUrl, row.id),
    registrationExpires: row.registration_expires_at?.toISOString() ?? null,
    deployments: deployments
      .filter(({ platform_id }) => platform_id === row.id)
      .map(({ deployment_id, accepted_at, seen_at }) => ({
        id: deployment_id,
        isAccepted: accepted_at !== null,
        seenAt: seen_at?.toISOString() ?? null,
      })),
    courses: courses
      .filter(({ platform_id }) => platform_id === row.id)
      .map(({ id, title, name, seen_at, memberships_url, members, roster_read_at, roster_problem }) => ({
        id,
        title,
        training: name,
        seenAt: seen_at.toISOString(),
        roster:
          memberships_url === null
            ? null
            : { members: members ?? 0, readAt: roster_read_at?.toISOString() ?? null, problem: roster_problem },
        activities: activitiesOf(id),
      })),
    workedAt: row.worked_at?.toISOString() ?? null,
  }))
}
