import { sql } from 'kysely'
import type { GuideId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type PublicationOf, publish } from '@trainyard/users/server/notices.ts'
import type { guideEvents } from '../../contract/guide-event.ts'
import type { Guide, GuideStep } from '../format/schema.ts'
import { selectCurrentWork } from '../queries.ts'
import { guideOf } from '../store.ts'
import type { OpenGuide } from './own-run.ts'
import { isFinished, resultsOf, viewOf } from './view.ts'

/** Publishes that the learner completed a task. */
export async function publishCompleted(tx: Tx, own: OpenGuide, task: string, points: number): Promise<void> {
  await publish<typeof guideEvents>(tx, [eventOf(own, { type: 'task.completed', task, points })])
  await publishIfComplete(tx, own, task)
}

/** Publishes that the guide is completed if a task was the last required one. */
export async function publishIfComplete(tx: Tx, own: OpenGuide, task: string): Promise<void> {
  const results = await resultsOf(tx, own)
  const required = requiredTasks(own.guide.steps)
  if (!required.some(({ id }) => id === task) || !required.every(({ id }) => isFinished(results.get(id)?.state))) return
  const { points } = await viewOf(tx, own)
  await publish<typeof guideEvents>(tx, [eventOf(own, { type: 'guide.completed', points })])
}

/**
 * Publishes that learners completed the guide because its last open tasks are in a step that is hidden now.
 * @param learner returns the work on a machine
 */
export async function publishCompletedByHiding(
  tx: Tx,
  training: TrainingId,
  { guideId, step }: { readonly guideId: GuideId; readonly step: string },
  learner: (vmName: string) => Promise<OpenGuide>,
): Promise<void> {
  const { rows } = await selectCurrentWork(tx, training, LEARNERS_MAX)
  const runs = rows.flatMap(({ runId }) => runId ?? [])
  const versions = await tx
    .selectFrom('guide_version')
    .select(['id', 'content'])
    .where('guide_id', '=', guideId)
    .where(sql<boolean>`id = any(${rows.map(({ versionId }) => versionId)}::uuid[])`)
    .execute()
  const tasksOfStep = new Map(versions.map((row) => [row.id, requiredTasks(stepOf(guideOf(row), step))]))
  const finished = await tx
    .selectFrom('task_result')
    .select(['run_id', 'task'])
    .where(sql<boolean>`run_id = any(${runs}::uuid[])`)
    .where('state', 'in', ['green', 'solved'])
    .execute()
  const finishedBy = Map.groupBy(finished, ({ run_id }) => run_id)
  for (const { vmName, versionId, runId } of rows) {
    if (runId === null) continue
    const done = new Set(finishedBy.get(runId)?.map(({ task }) => task))
    // Learners who had finished the hidden step had completed the guide already, or still have open tasks.
    if (done.size === 0 || tasksOfStep.get(versionId)?.every(({ id }) => done.has(id)) !== false) continue
    const own = await learner(vmName)
    const required = requiredTasks(own.guide.steps)
    if (required.length === 0 || !required.every(({ id }) => done.has(id))) continue
    const { points } = await viewOf(tx, own)
    await publish<typeof guideEvents>(tx, [eventOf(own, { type: 'guide.completed', points })])
  }
}

const LEARNERS_MAX = 2_000

const stepOf = ({ steps }: Guide, step: string): readonly GuideStep[] => steps.filter(({ id }) => id === step)

const requiredTasks = (steps: readonly GuideStep[]) =>
  steps.filter(({ optional }) => !optional).flatMap(({ tasks = [] }) => tasks)

type Completed =
  | { readonly type: 'task.completed'; readonly task: string; readonly points: number }
  | { readonly type: 'guide.completed'; readonly points: number }

const eventOf = ({ machine, version }: OpenGuide, { type, ...completed }: Completed) =>
  ({
    organisation: machine.organisation_id,
    type,
    resource: `machine:${machine.id}`,
    training: machine.training_id,
    data: {
      guide: version.slug,
      number: version.number,
      machine: { id: machine.id, name: machine.name },
      learner: machine.email,
      ...completed,
    },
  }) as PublicationOf<typeof guideEvents>
