import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { Choice, TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'
import type { Training } from './board.ts'
import type { NextStop } from './next-stop.ts'

/** Before everything else, for users who have nothing yet. */
export const homeFirst = slot<
  | { viewer: 'superadmin'; customer: string | null }
  | { viewer: 'admin'; organization: string }
  | { viewer: 'user'; machine: Machine }
>('home.first')

/** Above the figures of an organisation. */
export const homeCards = slot<{ organization: string; whose: Choice; trainings: readonly Training[] }>('home.cards')

/** When a planned machine will be ready. */
export const plannedTime = slot<{ machine: Machine; readyAt: string }>('home.planned-time')

/** Renders nothing, and reports the planned stops of a learner's machines, or of one of them. */
export const plannedStops = slot<{
  training: TrainingQuery
  vmName: string | null
  found: (stops: readonly NextStop[]) => void
}>('home.planned-stops')

/** Below the counts of the Control Center. */
export const dashboardSections = slot<object>('dashboard.sections')

/** Panels of the work list of a superadmin, after its own. */
export const homeWork = slot<object>('home.work')
