import { sql } from 'kysely'
import type { GuideId, GuideRunId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import { type PublicationOf, publish } from '@trainyard/users/server/notices.ts'
import type { guideEvents } from '../../contract/guide-event.ts'
import type { GuideStep } from '../format/schema.ts'
import { EARNED, selectCurrentWork } from '../queries.ts'
import { guideOf } from '../store.ts'
import { classSteps, withoutHidden, withSteps } from './class-steps.ts'
import { type OpenGuide, stepsFor, variablesOf } from './own-run.ts'
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
  if (!(await markCompleted(tx, [own.run.id])).has(own.run.id)) return
  const { points } = await viewOf(tx, own)
  await publish<typeof guideEvents>(tx, [eventOf(own, { type: 'guide.completed', points })])
}

/** Publishes that learners completed the guide because its last open tasks are in a step that is hidden now. */
export async function publishCompletedByHiding(tx: Tx, training: TrainingId, guideId: GuideId): Promise<void> {
  const { rows } = await selectCurrentWork(tx, training, LEARNERS_MAX)
  const runs = await tx
    .selectFrom('guide_run as run')
    .innerJoin('guide_version as v', 'v.id', 'run.version_id')
    .innerJoin('machine', 'machine.id', 'run.machine_id')
    .select(['run.id', 'run.version_id', 'run.variables', EARNED.as('points')])
    .select(['machine.id as machine_id', 'machine.name', 'machine.email', 'machine.organisation_id'])
    .where(sql<boolean>`run.id = any(${rows.flatMap(({ runId }) => runId ?? [])}::uuid[])`)
    .where('v.guide_id', '=', guideId)
    .where('run.completed_at', 'is', null)
    .orderBy('machine.number')
    .execute()
  const versions = await tx
    .selectFrom('guide_version as v')
    .innerJoin('guide as g', 'g.id', 'v.guide_id')
    .select(['v.id', 'v.number', 'g.slug', 'v.content'])
    .where(sql<boolean>`v.id = any(${runs.map(({ version_id }) => version_id)}::uuid[])`)
    .execute()
  const guides = new Map(versions.map((version) => [version.id, { version, whole: guideOf(version) }]))
  const steps = (await classSteps(tx, training))(guideId)
  const ids = runs.map(({ id }) => id)
  const results = await tx
    .selectFrom('task_result')
    .select(['run_id', 'task', 'state'])
    .where(sql<boolean>`run_id = any(${ids}::uuid[])`)
    .execute()
  const resultsBy = Map.groupBy(results, ({ run_id }) => run_id)
  const complete = runs.flatMap((run) => {
    const { version, whole } = guides.get(run.version_id)!
    const guide = withoutHidden(withSteps(whole, stepsFor(whole, variablesOf(run))), steps)
    const states = new Map(resultsBy.get(run.id)?.map(({ task, state }) => [task, state]))
    const required = requiredTasks(guide.steps)
    if (required.length === 0 || !required.every(({ id }) => isFinished(states.get(id)))) return []
    const machine = { ...run, id: run.machine_id, training_id: training }
    const completed = { type: 'guide.completed', points: run.points } as const
    return [{ id: run.id, publication: eventOf({ machine, version }, completed) }]
  })
  const marked = await markCompleted(
    tx,
    complete.map(({ id }) => id),
  )
  await publish<typeof guideEvents>(
    tx,
    complete.filter(({ id }) => marked.has(id)).map(({ publication }) => publication),
  )
}

/** Marks runs as completed. Returns those that were not, whose completion is published now. */
async function markCompleted(tx: Tx, runs: readonly GuideRunId[]): Promise<ReadonlySet<GuideRunId>> {
  const marked = await tx
    .updateTable('guide_run')
    .set({ completed_at: sql<Date>`portal_now()` })
    .where(sql<boolean>`id = any(${runs}::uuid[])`)
    .where('completed_at', 'is', null)
    .returning('id')
    .execute()
  return new Set(marked.map(({ id }) => id))
}

const LEARNERS_MAX = 2_000

const requiredTasks = (steps: readonly GuideStep[]) =>
  steps.filter(({ optional }) => !optional).flatMap(({ tasks = [] }) => tasks)

type Completed =
  | { readonly type: 'task.completed'; readonly task: string; readonly points: number }
  | { readonly type: 'guide.completed'; readonly points: number }

interface Work {
  readonly machine: Pick<MachineRow, 'id' | 'name' | 'email' | 'organisation_id' | 'training_id'>
  readonly version: Pick<OpenGuide['version'], 'slug' | 'number'>
}

const eventOf = ({ machine, version }: Work, { type, ...completed }: Completed) =>
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
