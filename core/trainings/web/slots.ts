import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Next events of a training, above its machines or learners. */
export const trainingStatus = slot<{ training: TrainingQuery; namesHidden: boolean }>('training.status')

/** Actions of a learner in a training, beside its name. */
export const learnerTools = slot<{ target: TrainingQuery }>('training.learner')
