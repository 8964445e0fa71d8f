import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Lists of the System Admin Panel, after its own. */
export const overviewLists = slot<object>('overview.lists')
