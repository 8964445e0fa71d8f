import type { TrainingQuery } from '#src/navigation/selection.ts'
import { slot } from '#src/shell/module.ts'

/** What a learner can do in a training, beside its name. */
export const learnerTools = slot<{ target: TrainingQuery }>('training.learner')
