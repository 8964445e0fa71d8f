import type { TrainingQuery } from '#src/navigation/selection.ts'
import { slot } from '#src/shell/module.ts'

/** Above the machines of a training. */
export const consoleTop = slot<{ training: TrainingQuery }>('console.top')
