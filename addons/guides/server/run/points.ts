import { sql } from 'kysely'
import type { LearnerScore } from '@trainyard/lti/server/scores.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { guideOf } from '../store.ts'
import { maximumOf } from '../format/schema.ts'
import { EARNED, IS_SHOWN_TASK } from '../queries.ts'
import { classSteps, withoutHidden } from './class-steps.ts'
import { stepsFor } from './own-run.ts'

/**
 * Returns the points of the learners of a training, by e-mail. Of several guides, and of a guide before and after a
 * reset of the machine, the best result counts. Null: no step that the learner sees has points.
 */
export async function pointsOfLearners(
  db: Db,
  training: TrainingId,
): Promise<ReadonlyMap<string, LearnerScore | null>> {
  const runs = await db
    .selectFrom('guide_run as run')
    .innerJoin('machine', 'machine.id', 'run.machine_id')
    .innerJoin('guide_version as v', 'v.id', 'run.version_id')
    .select(['run.email', 'run.variables', 'v.content', 'v.guide_id'])
    .select((eb) => [
      EARNED.as('earned'),
      eb
        .selectFrom('task_result as t')
        .whereRef('t.run_id', '=', 'run.id')
        .where(IS_SHOWN_TASK)
        .select(sql<number>`coalesce(sum(t.hints), 0)::integer`.as('hints'))
        .as('hints'),
    ])
    .where('machine.training_id', '=', training)
    .orderBy('run.started_at')
    .execute()
  const stepsOf = await classSteps(db, training)
  const best = new Map<string, LearnerScore | null>()
  for (const { email, variables, earned, hints, content, guide_id } of runs) {
    // Steps that the learner does not see do not count.
    const guide = withoutHidden(guideOf({ content }), stepsOf(guide_id))
    const maximum = maximumOf({ steps: stepsFor(guide, variables as Record<string, string>) })
    const other = best.get(email) ?? null
    if (maximum === 0) {
      best.set(email, other)
      continue
    }
    // Points of optional steps can exceed the maximum.
    const given = Math.min(earned, maximum)
    const score = { given, maximum, comment: commentOf(given, maximum, hints ?? 0) }
    if (other === null || score.given / score.maximum > other.given / other.maximum) best.set(email, score)
  }
  return best
}

const commentOf = (given: number, maximum: number, hints: number): string =>
  [`${given} of ${maximum} points`, hints === 0 ? [] : hints === 1 ? '1 hint' : `${hints} hints`].flat().join(', ')
