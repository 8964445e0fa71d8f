import { sql } from 'kysely'
import type { GuideId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import { GUIDE } from '../../contract/guide-words.ts'
import type { Guide, GuideStep } from '../format/schema.ts'
import { guideOf, hasStepForAll } from '../store.ts'

/** Changes by the instructors of a training about the steps of a guide. */
export interface ClassSteps {
  readonly hidden: ReadonlySet<string>
  /** Markdown, by step. */
  readonly notes: ReadonlyMap<string, string>
}

const UNCHANGED: ClassSteps = { hidden: new Set(), notes: new Map() }

/** Returns a function from a guide to its steps in a training. */
export async function classSteps(db: Db, training: TrainingId): Promise<(guide: GuideId) => ClassSteps> {
  const rows = await db
    .selectFrom('training_guide_step')
    .select(['guide_id', 'step', 'hidden', 'note'])
    .where('training_id', '=', training)
    .execute()
  const byGuide = new Map(
    [...Map.groupBy(rows, ({ guide_id }) => guide_id)].map(([guide, own]) => [
      guide,
      {
        hidden: new Set(own.flatMap(({ step, hidden }) => (hidden ? [step] : []))),
        notes: new Map(own.flatMap(({ step, note }) => (note === '' ? [] : [[step, note] as const]))),
      },
    ]),
  )
  return (guide) => byGuide.get(guide) ?? UNCHANGED
}

/** Returns the guide with some of its steps. A task does not need tasks of the others, which no learner could finish. */
export function withSteps(guide: Guide, steps: readonly GuideStep[]): Guide {
  const present = new Set(steps.flatMap(({ tasks = [] }) => tasks.map(({ id }) => id)))
  return {
    ...guide,
    steps: steps.map((step) => ({
      ...step,
      tasks: step.tasks?.map((task) => ({ ...task, needs: task.needs?.filter((id) => present.has(id)) })),
    })),
  }
}

/** Returns the guide without its hidden steps. */
export const withoutHidden = (guide: Guide, { hidden }: ClassSteps): Guide =>
  hidden.size === 0
    ? guide
    : withSteps(
        guide,
        guide.steps.filter(({ id }) => !hidden.has(id)),
      )

/** Returns the step that is shown instead of one that is hidden now: the next one, otherwise the last. */
export function shownStep({ steps: all }: Guide, { steps: shown }: Guide, step: string): string {
  if (shown.some(({ id }) => id === step)) return step
  const after = all.slice(all.findIndex(({ id }) => id === step) + 1)
  return (after.find((each) => shown.some(({ id }) => id === each.id)) ?? shown.at(-1))?.id ?? step
}

interface StepChange {
  readonly guide: string
  readonly step: string
  /** Undefined: as before. */
  readonly isHidden?: boolean | undefined
  readonly note?: string | undefined
}

/** Changes a step of a guide that a training uses. @throws Problem conflict */
export async function changeStep(
  tx: Tx,
  { id: training_id, organisationId: organisation_id }: Pick<TrainingInScope, 'id' | 'organisationId'>,
  { guide: slug, step, isHidden, note }: StepChange,
  by: string,
) {
  const used = await tx
    .selectFrom('training_guide as a')
    .innerJoin('guide_version as v', 'v.id', 'a.version_id')
    .innerJoin('guide as g', 'g.id', 'v.guide_id')
    .select(['v.guide_id', 'v.content'])
    .where('a.training_id', '=', training_id)
    .where('g.slug', '=', slug)
    .execute()
  if (used.length === 0) throw conflict(GUIDE.notAttached)
  const { guide_id } = used[0]!
  const guides = used.map(guideOf)
  const title = guides.flatMap(({ steps }) => steps).find(({ id }) => id === step)?.title
  if (title === undefined) throw conflict(GUIDE.noStep)
  const { hidden: others, notes } = (await classSteps(tx, training_id))(guide_id)
  const before = { isHidden: others.has(step), note: notes.get(step) ?? '' }
  const after = { isHidden: isHidden ?? before.isHidden, note: note?.trim() ?? before.note }
  const hidden = new Set(others)
  if (isHidden) hidden.add(step)
  if (isHidden && guides.some((each) => !hasStepForAll(each, hidden))) throw conflict(GUIDE.lastStep)
  const values = { hidden: after.isHidden, note: after.note, changed_by: by, changed_at: sql<Date>`portal_now()` }
  await tx
    .insertInto('training_guide_step')
    .values({ training_id, organisation_id, guide_id, step, ...values })
    .onConflict((on) => on.columns(['training_id', 'guide_id', 'step']).doUpdateSet(values))
    .execute()
  return { guideId: guide_id, title, before, after }
}
