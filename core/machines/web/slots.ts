import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Above the machines of a training. */
export const consoleTop = slot<{ training: TrainingQuery }>('console.top')

/** Asks before planned machines start. */
export const startQuestion = slot<{
  training: TrainingQuery
  title: string
  names: ReadonlySet<string>
  busy: boolean
  start: () => void
  close: () => void
}>('machines.start-question')
