import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink'
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay'
import type { Icon } from '@tabler/icons-react'
import type { Machine } from '../contract/machine.ts'
import { can } from '../contract/machine-words.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'

/** Returns the power action that is possible; during a change, the action that reverses it. */
export function powerActionOf(machine: Machine): { command: 'on' | 'off'; label: string; may: TrueOrReason } {
  const again = machine.status === 'Failing' && machine.refused
  const leads = can.powerOff(machine) === true || machine.status === 'Starting' || machine.status === 'Restarting'
  return leads && !again
    ? { command: 'off', label: 'Power Off', may: can.powerOff(machine) }
    : { command: 'on', label: 'Power On', may: can.powerOn(machine) }
}

export type RowAction = 'why' | 'open' | 'on'

export const ROW_ACTIONS: Readonly<Record<RowAction, { readonly word: string; readonly icon?: Icon }>> = {
  why: { word: 'Why?' },
  open: { word: 'Web-based access', icon: IconExternalLink },
  on: { word: 'Power On', icon: IconPlayerPlay },
}

/**
 * Returns the one action of a machine that has a button in its row; the others are in its menu. A planned machine has
 * none, because it starts in time for its class.
 */
export function rowActionOf(machine: Machine, hasWebAccess: boolean): RowAction | null {
  if (machine.status === 'Failing') return 'why'
  if (hasWebAccess && can.openInBrowser(machine) === true) return 'open'
  return machine.status === 'Stopped' && can.powerOn(machine) === true ? 'on' : null
}
