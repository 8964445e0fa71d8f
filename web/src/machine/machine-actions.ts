import { lazy, type ComponentType } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { can, type May } from '@trainyard/contract/words/machine.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import { copyText } from '#src/ui/copy.ts'
import type { MachineDialogProps } from './machine-dialog.ts'
import { watchInBrowser } from './open-in-browser.ts'

/** An entry of a machine's menu: it does something at once, leads to a screen, or opens a dialog. */
export type MachineAction = {
  /** The machine's name stands in the menu's own name: 'Delete', not 'Delete lab-1'. */
  readonly label: string
  readonly roles: readonly Role[]
  /** Shown red, below a line. */
  readonly destroys?: true
  /** `true`, or the sentence why not; without it the action is always possible. */
  readonly may?: (machine: Machine) => May
} & (
  | { readonly run: (machine: Machine) => void }
  | { readonly to: `/${string}`; readonly search: (machine: Machine) => Readonly<Record<string, string>> }
  /** `lazy(() => import('./X.tsx'))`: the console's first load must not pay for it. */
  | { readonly dialog: ComponentType<MachineDialogProps> }
)

const EVERYBODY = ['user', 'admin', 'superadmin'] as const
const ADMINS = ['admin', 'superadmin'] as const

/** The actions of the menu on a machine's card and row, in their order; those that destroy come last. */
export const MACHINE_ACTIONS: readonly MachineAction[] = [
  { label: 'Copy name', roles: EVERYBODY, run: ({ name }) => copyText(name, 'The name') },
  {
    label: 'Copy address',
    roles: EVERYBODY,
    may: ({ name, publicIp }) => publicIp !== null || `${name} has no address yet.`,
    run: ({ publicIp }) => copyText(publicIp ?? '', 'The address'),
  },
  { label: 'Timeline', roles: EVERYBODY, dialog: lazy(() => import('./Timeline.tsx')) },
  { label: 'Session Logs', roles: EVERYBODY, to: '/vm/logs', search: ({ name }) => ({ vm: name }) },
  { label: 'Watch', roles: ADMINS, may: can.openInBrowser, run: ({ name }) => void watchInBrowser(name) },
  { label: 'Hand Over', roles: ADMINS, may: can.handOver, dialog: lazy(() => import('./HandOverMachine.tsx')) },
  { label: 'Reset', roles: ADMINS, destroys: true, may: can.reset, dialog: lazy(() => import('./ResetMachine.tsx')) },
  {
    label: 'Delete',
    roles: ADMINS,
    destroys: true,
    may: can.remove,
    dialog: lazy(() => import('./DeleteMachine.tsx')),
  },
]

export const actionsOf = (role: Role): readonly MachineAction[] =>
  MACHINE_ACTIONS.filter(({ roles }) => roles.includes(role))
