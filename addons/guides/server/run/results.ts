import { sql } from 'kysely'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { GuideRunId, GuideVersionId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import type { guide, GuideOfClass, GuideResult } from '../../contract/guide.ts'
import { STUCK_MINUTES, STUCK_REDS } from '../../contract/guide-words.ts'
import { type Guide, type GuideTask, maximumOf, pointsOfTask, tasksOf } from '../format/schema.ts'
import { type CurrentWork, EARNED, IS_SHOWN_TASK, selectCurrentWork } from '../queries.ts'
import { guideOf } from '../store.ts'
import type { TaskResultRow } from '../../tables.gen.ts'
import { type ClassSteps, classSteps, shownStep, withoutHidden } from './class-steps.ts'
import { checksOf } from './view.ts'

const RESULTS_MAX = 500
/** Characters of error output per result. */
const ERROR_OUTPUT_SHOWN = 2_000

type Training = Pick<TrainingInScope, 'id' | 'organisationId'>

/** Returns the guides of a training and the work of its learners: current work, then former work, latest first. */
export async function resultsOfTraining(db: Db, training: Training): Promise<ReplyOf<typeof guide.results>> {
  const { rows: current } = await selectCurrentWork(db, training.id, RESULTS_MAX)
  const versions = await versionsOf(db, training.id, new Set(current.map(({ versionId }) => versionId)))
  const currentRuns = current.flatMap(({ runId }) => (runId === null ? [] : [runId]))
  const runs = await runsOf(db, training, currentRuns)
  const ofRun = new Map(runs.map((run) => [run.id, run]))
  const results = await taskResultsOf(db, currentRuns)
  const now = await portalNow(db)
  return {
    guides: [...versions.values()].map(describeGuide),
    results: [
      ...current.map((work) => {
        const version = versions.get(work.versionId)!
        const tasks = (work.runId === null ? undefined : results.get(work.runId)) ?? []
        const run = work.runId === null ? undefined : ofRun.get(work.runId)
        return {
          ...describeRun(run),
          vmName: work.vmName,
          email: work.email,
          learnerName: work.learnerName,
          guide: version.slug,
          number: version.number,
          isCurrent: true,
          step: work.step === null ? null : shownStep(version.whole, version.guide, work.step),
          stuck: stuckAt(version.guide, work, tasks, now),
          tasks: tasks.filter(isShownIn(version.guide)).map((row) => describeTask(version.guide, row)),
        }
      }),
      ...runs
        .filter(({ id }) => !currentRuns.includes(id))
        .map((run) => ({
          ...describeRun(run),
          vmName: run.name,
          email: run.email,
          learnerName: null,
          guide: run.slug,
          number: run.number,
          isCurrent: false,
          step: run.step,
          stuck: null,
          tasks: [],
        })),
    ].slice(0, RESULTS_MAX),
  }
}

type Run = Awaited<ReturnType<typeof runsOf>>[number]

function describeRun(row: Run | undefined) {
  return {
    tasksDone: row?.done ?? 0,
    points: row?.points ?? 0,
    reds: row?.reds ?? 0,
    suspectAt: row?.suspect_at?.toISOString() ?? null,
    lastBroken:
      row === undefined || row.ran_at === null
        ? null
        : {
            task: row.task!,
            script: row.script!,
            exitStatus: row.exit_status,
            message: row.message!,
            errorOutput: row.error_output!,
            ranAt: row.ran_at.toISOString(),
          },
  }
}

const isShownIn =
  (of: Guide) =>
  ({ task }: TaskResultRow): boolean =>
    tasksOf(of).some(({ id }) => id === task)

const describeGuide = ({ slug, number, whole, guide: of, steps }: ClassVersion): GuideOfClass => ({
  guide: slug,
  number,
  title: of.title,
  maximum: maximumOf(of),
  steps: whole.steps.map(({ id, title, tasks = [] }) => ({
    step: id,
    title,
    isHidden: steps.hidden.has(id),
    note: steps.notes.get(id) ?? '',
    tasks: tasks.map((task) => ({
      task: task.id,
      title: task.title,
      maximum: pointsOfTask(task),
      canSolve: (task.solve ?? []).length > 0,
    })),
  })),
})

function describeTask(of: Guide, row: TaskResultRow): GuideResult['tasks'][number] {
  const { task: id, state, points, hints, reds, changed_at } = row
  const last = checksOf(row)
  const task = tasksOf(of).find((each) => each.id === id)
  const failed = task?.checks.find((check) => (last[check.id]?.state ?? 'green') !== 'green')
  return {
    task: id,
    state,
    points,
    hints,
    reds,
    failed: failed === undefined ? null : { title: failed.title, message: last[failed.id]!.message },
    changedAt: changed_at.toISOString(),
  }
}

/** States of a task that the learner leaves behind. */
const LEFT: ReadonlySet<TaskResultRow['state']> = new Set(['green', 'solved', 'skipped'])

/** Returns the task with which the learner makes no progress. */
function stuckAt(
  of: Guide,
  { step, workingSince }: CurrentWork,
  results: readonly TaskResultRow[],
  now: Date,
): GuideResult['stuck'] {
  if (workingSince === null || step === null) return null
  const left = results.filter(({ state }) => LEFT.has(state))
  const isOpen = ({ id }: GuideTask) => !left.some(({ task }) => task === id)
  const task = (of.steps.find(({ id }) => id === step)?.tasks ?? []).find(isOpen) ?? tasksOf(of).find(isOpen)
  if (task === undefined) return null
  const since = Math.max(workingSince.getTime(), ...left.map(({ changed_at }) => changed_at.getTime()))
  const minutes = Math.floor((now.getTime() - since) / 60_000)
  const reds = results.find((row) => row.task === task.id)?.reds ?? 0
  return minutes >= STUCK_MINUTES || reds >= STUCK_REDS ? { task: task.id, minutes, reds } : null
}

interface ClassVersion {
  readonly slug: string
  readonly number: number
  readonly whole: Guide
  /** Without hidden steps. */
  readonly guide: Guide
  readonly steps: ClassSteps
}

async function versionsOf(
  db: Db,
  training: TrainingId,
  ids: ReadonlySet<GuideVersionId>,
): Promise<ReadonlyMap<GuideVersionId, ClassVersion>> {
  const rows = await db
    .selectFrom('guide_version as v')
    .innerJoin('guide', 'guide.id', 'v.guide_id')
    .select(['v.id', 'v.guide_id', 'guide.slug', 'v.number', 'v.content'])
    .where(sql<boolean>`v.id = any(${[...ids]}::uuid[])`)
    .orderBy('guide.slug')
    .execute()
  const stepsOf = await classSteps(db, training)
  return new Map(
    rows.map((row) => {
      const whole = guideOf(row)
      const steps = stepsOf(row.guide_id)
      return [row.id, { slug: row.slug, number: row.number, whole, guide: withoutHidden(whole, steps), steps }]
    }),
  )
}

const taskResultsOf = async (db: Db, runs: readonly GuideRunId[]) =>
  Map.groupBy(
    await db
      .selectFrom('task_result')
      .selectAll()
      .where(sql<boolean>`run_id = any(${runs}::uuid[])`)
      .execute(),
    ({ run_id }) => run_id,
  )

/** Returns the work on machines of a training, the given runs first, with what the last broken script wrote. */
const runsOf = (db: Db, { id, organisationId }: Training, first: readonly GuideRunId[]) =>
  db
    .selectFrom('guide_run as run')
    .innerJoin('machine', 'machine.id', 'run.machine_id')
    .innerJoin('guide_version as v', 'v.id', 'run.version_id')
    .innerJoin('guide', 'guide.id', 'v.guide_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('task_result as t')
          .whereRef('t.run_id', '=', 'run.id')
          .where(IS_SHOWN_TASK)
          .select([
            sql<number>`(count(*) filter (where t.state in ('green', 'solved')))::integer`.as('done'),
            sql<number>`coalesce(sum(t.reds), 0)::integer`.as('reds'),
          ])
          .as('tasks'),
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
    .select([
      sql<GuideRunId>`run.id`.as('id'),
      'machine.name',
      'run.email',
      'guide.slug',
      'v.number',
      'run.step',
      'run.suspect_at',
    ])
    .select(['tasks.done', 'tasks.reds', EARNED.as('points')])
    .select(['broken.task', 'broken.script', 'broken.exit_status', 'broken.message', 'broken.error_output'])
    .select('broken.ran_at')
    .where('machine.training_id', '=', id)
    .where('machine.organisation_id', '=', organisationId)
    .orderBy(sql`run.id = any(${first}::uuid[])`, 'desc')
    .orderBy('machine.name')
    .orderBy('run.started_at', 'desc')
    .limit(RESULTS_MAX)
    .execute()
