import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type PublicationOf, publish } from '@trainyard/users/server/notices.ts'
import type { guideEvents } from '../../contract/guide-event.ts'
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
  const required = own.guide.steps.filter(({ optional }) => !optional).flatMap(({ tasks = [] }) => tasks)
  if (!required.some(({ id }) => id === task) || !required.every(({ id }) => isFinished(results.get(id)?.state))) return
  const { points } = await viewOf(tx, own)
  await publish<typeof guideEvents>(tx, [eventOf(own, { type: 'guide.completed', points })])
}

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
