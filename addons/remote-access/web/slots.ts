import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Before the tools of an open machine. */
export const remoteTools = slot<{ target: { vmName: string } }>('remote.tools')

/** Bars of the page that shows a machine. */
export const remoteBars = slot<object>('remote.bars')
