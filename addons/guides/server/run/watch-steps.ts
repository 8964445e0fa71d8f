import { createHash } from 'node:crypto'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { type MachineChanges, type Watch, watchChanges } from '@trainyard/machines/server/watch.ts'
import { CLASS_CHANNEL } from '@trainyard/trainings/server/machine-changes.ts'

type StepsWatch = Pick<Watch<{ readonly mark: string }>, 'actor' | 'closed' | 'send' | 'isStillAllowed'>

/** Sends a mark of what the instructors of a training changed about the steps of its guides, and another after each change. */
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
      const mark = await markOf(db, training)
      if (mark === sent) return null
      sent = mark
      return { mark }
    },
  })
}

async function markOf(db: Db, training: TrainingId): Promise<string> {
  const rows = await db
    .selectFrom('training_guide_step')
    .select(['guide_id', 'step', 'hidden', 'note'])
    .where('training_id', '=', training)
    .where((eb) => eb.or([eb('hidden', '=', true), eb('note', '<>', '')]))
    .orderBy('guide_id')
    .orderBy('step')
    .execute()
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url')
}
