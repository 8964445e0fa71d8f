import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Before the tools of an open machine. */
export const remoteTools = slot<{ target: { vmName: string } }>('remote.tools')

/** The open terminal: what types into it. */
export interface TerminalHandle {
  readonly type: (text: string) => void
  readonly focus: () => void
}

/**
 * Beside an open machine. An element with `data-covers` lies over the machine on narrow screens, where it places itself.
 */
export const remoteAside = slot<{ target: { vmName: string }; terminal: TerminalHandle | null }>('remote.aside')

/** Bars of the page that shows a machine. */
export const remoteBars = slot<object>('remote.bars')
