import type { Again } from '@trainyard/platform/server/run/reconcile/task.ts'
import { sql } from 'kysely'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import type { LmsCourseId, LmsLinkId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { type Lms, type LmsClient, LmsError } from './lms-provider.ts'
import { activeMinutes } from '@trainyard/attendance/server/report.ts'
import type { LaunchedLink } from './claims.ts'
import type { CourseDependencies } from './course-members.ts'
import { signingKeyOf } from './keys.ts'
import { activePlatform, addressesOf } from './platform.ts'
import { dueIds, type Room, type Visit, visitLmss } from './visits.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { upsertLink, selectLearnersWithScores, type LearnerRow } from './queries.ts'

/** Time between two computations of an activity's scores, in minutes. */
const SCORE_MINUTES = 10
/** Longest time between two attempts, in minutes. */
const RETRY_MINUTES_MAX = 24 * 60

/** SQL: true if the scores of an activity must be computed. */
export const SCORE_DUE = sql<boolean>`coalesce((select true from lms_link where score_due_at <= portal_now()
  order by score_due_at limit 1), false)`

/**
 * Stores the launched activity and adds the learner to it. From then on the learner's score is sent. A learner who has
 * never opened the activity gets no score.
 * @param subject ID of the learner in the LMS; null if the launch has no learner
 */
export async function recordActivityLaunch(
  tx: Tx,
  { id: course, organisation }: { readonly id: LmsCourseId; readonly organisation: OrganisationId },
  link: LaunchedLink,
  subject: string | null,
): Promise<void> {
  const { rows } = await upsertLink(tx, {
    course,
    link: link.id,
    organisation,
    title: link.title,
    lineItemUrl: link.lineItemUrl,
  })
  const { id, lineItemChanged } = rows[0]!
  // The activity has a new gradebook column, so all scores must be sent again.
  if (lineItemChanged)
    await tx.updateTable('lms_score').set({ sent: null, sent_of: null }).where('link_id', '=', id).execute()
  if (subject === null) return
  await tx
    .insertInto('lms_score')
    .values({ link_id: id, organisation_id: organisation, subject })
    .onConflict((on) => on.doNothing())
    .execute()
}

interface DueActivity extends Visit {
  readonly id: LmsLinkId
  readonly course: LmsCourseId
  readonly url: string | null
  /** Active minutes for the full score. Null: points give the score. */
  readonly maximumMinutes: number | null
}

/** Returns a task that sends the changed scores of the due activities. Failures are retried and shown to admins. */
export function sendDueScores(parts: CourseDependencies): (signal: AbortSignal) => Promise<Again | void> {
  const { db, onBug } = parts
  const columns = { table: 'lms_link', due: 'score_due_at', attempts: 'score_attempts' }
  // The activity is claimed before the LMS is called. If the call fails, it is retried later instead of immediately.
  const claim = async (room: Room) =>
    (
      await sql<DueActivity>`
        update lms_link set score_due_at = portal_now() + make_interval(mins => ${SCORE_MINUTES})
        where id in (${dueIds(columns, room)}) and score_due_at <= portal_now()
        returning id, course_id as course, organisation_id as organisation, line_item_url as url,
          score_minutes as "maximumMinutes", score_attempts > 0 as "isFailing"`.execute(db)
    ).rows
  return visitLmss(
    claim,
    async (activity, { deadline, stopping }) => {
      const link = db.updateTable('lms_link').where('id', '=', activity.id)
      try {
        const isComplete = await sendScoresOf(parts, activity, deadline)
        if (!isComplete)
          await link
            .set({ score_due_at: sql<Date>`portal_now()` })
            .where('score_by', 'is not', null)
            .execute()
        await link.set({ score_attempts: 0, score_problem: null }).where('score_attempts', '>', 0).execute()
      } catch (error) {
        const enabled = link.where('score_by', 'is not', null)
        // The next worker sends the remaining scores.
        if (stopping.aborted) return void (await enabled.set({ score_due_at: sql<Date>`portal_now()` }).execute())
        if (!(error instanceof LmsError)) throw error
        await enabled
          .set({
            score_problem: error.message,
            score_attempts: sql<number>`score_attempts + 1`,
            score_due_at: retryAt(sql`score_attempts`),
          })
          .execute()
      }
    },
    onBug,
  )
}

const retryAt = (attempts: ReturnType<typeof sql>) =>
  sql<Date>`portal_now() + make_interval(mins => least(power(2, least(${attempts}, 20)), ${RETRY_MINUTES_MAX})::int)`

/**
 * Sends the changed scores of an activity. If the LMS refuses one score, the other scores are still sent. Returns false
 * at the deadline if some scores were sent, so that the next visit sends the others.
 * @throws LmsError if the LMS cannot be reached, or if no score was sent until the deadline
 */
async function sendScoresOf(parts: CourseDependencies, activity: DueActivity, deadline: AbortSignal): Promise<boolean> {
  const { db, lms } = parts
  const target = await targetOf(parts, activity)
  if (target === null) return true
  let sent = 0
  const scoreOf = await scoresFor(db, activity, target.training)
  for (const learner of await learnersOf(db, activity, target.client.issuer)) {
    const found = scoreOf(learner.email)
    if (found === null) continue
    const score = found ?? withoutPoints(learner)
    if (score === undefined || (score.given === learner.sent && score.maximum === learner.of)) continue
    // A score of zero is sent only as a correction.
    if (score.given === 0 && learner.sent === null) continue
    if (deadline.aborted) {
      if (sent > 0) return false
      throw new LmsError('unreachable', 'The LMS did not accept all scores in time.')
    }
    const { url, client } = target
    await sendScore(db, lms, { activity, url, client, subject: learner.subject, score })
    sent += 1
  }
  return true
}

export interface LearnerScore {
  readonly given: number
  /** More than 0. */
  readonly maximum: number
  /** For the learner, in the LMS. */
  readonly comment: string
}

/**
 * Points of the learners of a training, by e-mail. Null: the learner has worked, but nothing gives points now, so that
 * the LMS keeps the score that it has.
 */
export const learnerPoints = hook<TrainingId, ReadonlyMap<string, LearnerScore | null>>(
  'lms.points',
  new Map(),
  (first, second) => new Map([...first, ...second]),
)

/** Returns the correction of a score that another rule gave before; undefined if none was sent. */
const withoutPoints = ({ of }: LearnerRow): LearnerScore | undefined =>
  of === null ? undefined : { given: 0, maximum: of, comment: 'No points yet' }

async function scoresFor(
  db: Db,
  { maximumMinutes: maximum }: DueActivity,
  training: TrainingId,
): Promise<(email: string) => LearnerScore | null | undefined> {
  if (maximum === null) {
    const points = await ask(db, learnerPoints, training)
    return (email) => points.get(email)
  }
  const minutes = await activeMinutes(db, training)
  return (email) => {
    const given = Math.min(minutes.get(email) ?? 0, maximum)
    return { given, maximum, comment: `${given} of ${maximum} minutes active on the machine` }
  }
}

async function targetOf({ db, seal, publicUrl }: CourseDependencies, activity: DueActivity) {
  const course = await db
    .selectFrom('lms_course')
    .select(['platform_id', 'training_id'])
    .where('id', '=', activity.course)
    .executeTakeFirst()
  if (course?.training_id == null || activity.url === null) return null
  const platform = await activePlatform(db, course.platform_id).catch(() => null)
  if (platform === null) return null
  const key = await signingKeyOf(db, seal, platform.id)
  const client: LmsClient = { ...platform, key, ownKeySetUrl: addressesOf(publicUrl, platform.id).keySet }
  return { training: course.training_id satisfies TrainingId, url: activity.url, client }
}

/** Returns learners who are portal users, except learners whose refused score is not due yet. */
async function learnersOf(db: Db, { id, organisation }: DueActivity, issuer: string): Promise<readonly LearnerRow[]> {
  const { rows } = await selectLearnersWithScores(db, organisation, issuer, id)
  return rows
}

async function sendScore(
  db: Db,
  lms: Lms,
  options: {
    readonly activity: DueActivity
    readonly url: string
    readonly client: LmsClient
    readonly subject: string
    readonly score: LearnerScore
  },
): Promise<void> {
  const { activity, url, client, subject, score } = options
  const scoreUpdate = db.updateTable('lms_score').where('link_id', '=', activity.id).where('subject', '=', subject)
  try {
    await lms.sendScore(client, url, { ...score, subject, at: await portalNow(db) })
  } catch (error) {
    if (!(error instanceof LmsError) || error.kind === 'unreachable') throw error
    await scoreUpdate
      .set({
        problem: error.message,
        attempts: sql<number>`attempts + 1`,
        retry_at: retryAt(sql`attempts`),
      })
      .execute()
    return
  }
  await scoreUpdate
    .set({ sent: score.given, sent_of: score.maximum, attempts: 0, retry_at: null, problem: null })
    .execute()
  await db
    .updateTable('lms_link')
    .set({ score_sent_at: sql<Date>`portal_now()` })
    .where('id', '=', activity.id)
    .execute()
}
