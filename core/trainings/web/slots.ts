import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/**
 * Next events of a training, above its machines or learners. `foundStuck` receives why learners make no progress, by the
 * name of their machine.
 */
export const trainingStatus = slot<{
  training: TrainingQuery
  namesHidden: boolean
  foundStuck?: (reasons: ReadonlyMap<string, string>) => void
}>('training.status')

/** Further things that must be ready for a class. */
export const readyNotes = slot<{ training: TrainingQuery }>('training.ready')

/** Actions of a learner in a training, beside its name. */
export const learnerTools = slot<{ target: TrainingQuery }>('training.learner')

/** How far the learner of a machine is, in the learner's place of a class. */
export const learnerProgress = slot<{ training: TrainingQuery; vmName: string; isBrief: boolean }>('training.progress')
