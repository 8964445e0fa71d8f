import type { TrainingQuery } from '../navigation/selection.ts'
import { slot } from './module.ts'

/** Above the content of every screen. */
export const shellBars = slot<object>('shell.bars')
/** Line below the heading of the screens of a training. */
export const trainingHeader = slot<{ training: TrainingQuery }>('shell.training')
/** The search in the top bar. */
export const shellSearch = slot<object>('shell.search')
/** Further tools in the top bar. */
export const shellTools = slot<object>('shell.tools')
/** Dialog for calls that the server refuses until the user confirms their identity. */
export const shellIdentity = slot<{ confirmed: () => void; close: () => void }>('shell.identity')
