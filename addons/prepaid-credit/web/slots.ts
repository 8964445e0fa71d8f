import { slot } from '@trainyard/platform/web/shell/module.ts'
import type { PrepaidState } from './forecast.ts'

/** Beside the heading of Prepaid Credit. */
export const creditActions = slot<{ state: PrepaidState }>('prepaid-credit.actions')
