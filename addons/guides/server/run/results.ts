import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import type { guide } from '../../contract/guide.ts'

const RESULTS_MAX = 500
/** Characters of error output per result. */
const ERROR_OUTPUT_SHOWN = 2_000

/** Returns the work of the learners of a training, the latest of each machine first. */
export async function resultsOfTraining(
  db: Db,
  { id, organisationId }: Pick<TrainingInScope, 'id' | 'organisationId'>,
): Promise<ReplyOf<typeof guide.results>['results']> {
  const rows = await db
    .selectFrom('guide_run as run')
    .innerJoin('machine', 'machine.id', 'run.machine_id')
    .innerJoin('guide_version as v', 'v.id', 'run.version_id')
    .innerJoin('guide', 'guide.id', 'v.guide_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('task_result as t')
          .whereRef('t.run_id', '=', 'run.id')
          .select([
            sql<number>`(count(*) filter (where t.state in ('green', 'solved')))::integer`.as('done'),
            sql<number>`coalesce(sum(t.points), 0)::integer`.as('points'),
            sql<number>`coalesce(sum(t.reds), 0)::integer`.as('reds'),
          ])
          .as('tasks'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('question_answer as q')
          .whereRef('q.run_id', '=', 'run.id')
          .select(sql<number>`coalesce(sum(q.points), 0)::integer`.as('points'))
          .as('questions'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('check_attempt as c')
          .whereRef('c.run_id', '=', 'run.id')
          .where('c.state', '=', 'broken')
          .where('c.script', '<>', 'decoy')
          .select(['c.task', 'c.script', 'c.exit_status', 'c.message', 'c.ran_at'])
          .select(sql<string>`right(c.error_output, ${ERROR_OUTPUT_SHOWN})`.as('error_output'))
          .orderBy('c.ran_at', 'desc')
          .limit(1)
          .as('broken'),
      (join) => join.onTrue(),
    )
    .select(['machine.name', 'run.email', 'guide.slug', 'v.number', 'run.step', 'run.suspect_at'])
    .select(['tasks.done', 'tasks.reds', 'tasks.points', 'questions.points as answered'])
    .select(['broken.task', 'broken.script', 'broken.exit_status', 'broken.message', 'broken.error_output'])
    .select('broken.ran_at')
    .where('machine.training_id', '=', id)
    .where('machine.organisation_id', '=', organisationId)
    .orderBy('machine.name')
    .orderBy('run.started_at', 'desc')
    .limit(RESULTS_MAX)
    .execute()
  return rows.map((row) => ({
    vmName: row.name,
    email: row.email,
    guide: row.slug,
    number: row.number,
    step: row.step,
    tasksDone: row.done,
    points: row.points + row.answered,
    reds: row.reds,
    suspectAt: row.suspect_at?.toISOString() ?? null,
    lastBroken:
      row.ran_at === null
        ? null
        : {
            task: row.task!,
            script: row.script!,
            exitStatus: row.exit_status,
            message: row.message!,
            errorOutput: row.error_output!,
            ranAt: row.ran_at.toISOString(),
          },
  }))
}
