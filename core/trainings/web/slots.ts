import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/** What happens in a training next, above its machines or learners. */
export const trainingStatus = slot<{ training: TrainingQuery; namesHidden: boolean }>('training.status')

/** What a learner can do in a training, beside its name. */
export const learnerTools = slot<{ target: TrainingQuery }>('training.learner')
