import { createHash } from 'node:crypto'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { type MachineChanges, type Watch, watchChanges } from '@trainyard/machines/server/watch.ts'
import { CLASS_CHANNEL } from '@trainyard/trainings/server/machine-changes.ts'

type StepsWatch = Pick<Watch<{ readonly mark: string }>, 'closed' | 'send' | 'isStillAllowed'> & {
  readonly actor: Pick<Actor, 'id' | 'organisation' | 'email'>
}

/** Sends a mark of what the instructors of a training changed about the steps of the learner's guide, and another after each change. */
export async function watchSteps(
  db: Db,
  changes: MachineChanges,
  training: TrainingId,
  watch: StepsWatch,
): Promise<void> {
  let sent = ''
  await watchChanges({
    ...watch,
    subscribe: (onChange) => changes.subscribe(training, onChange, [CLASS_CHANNEL]),
    async load(_machines, ofAll) {
      // Learners who come or raise a hand change no step.
      if (!ofAll) return null
      const mark = await markOf(db, training, watch.actor.email)
      if (mark === sent) return null
      sent = mark
      return { mark }
    },
  })
}

/** @param email address of the learner, whose machines have a guide by their template */
async function markOf(db: Db, training: TrainingId, email: string): Promise<string> {
  const rows = await db
    .selectFrom('training_guide_step')
    .select(['guide_id', 'step', 'hidden', 'note'])
    .where('training_id', '=', training)
    .where('guide_id', 'in', (eb) =>
      eb
        .selectFrom('training_guide as a')
        .innerJoin('guide_version as v', 'v.id', 'a.version_id')
        .leftJoin('template as t', 't.id', 'a.template_id')
        .select('v.guide_id')
        .where('a.training_id', '=', training)
        .where((of) =>
          of.or([
            of('a.template_id', 'is', null),
            of('t.name', 'in', (machines) =>
              machines
                .selectFrom('machine as m')
                .innerJoin('machine_order as o', 'o.id', 'm.order_id')
                .select('o.template_name')
                .where('m.training_id', '=', training)
                .where('m.email', '=', email),
            ),
          ]),
        ),
    )
    .where((eb) => eb.or([eb('hidden', '=', true), eb('note', '<>', '')]))
    .orderBy('guide_id')
    .orderBy('step')
    .execute()
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url')
}
