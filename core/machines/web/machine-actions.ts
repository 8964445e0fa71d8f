import { lazy, type ComponentType } from 'react'
import type { Machine } from '../contract/machine.ts'
import { can } from '../contract/machine-words.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { copyText } from '@trainyard/platform/web/ui/copy.ts'
import type { MachineDialogProps } from './machine-dialog.ts'
import type { WebAccess } from './slots.ts'

export type MachineAction = {
  readonly label: string
  readonly roles: readonly Role[]
  /** True if instructors of the machine's training can use the action too, on the Class screen. */
  readonly instructors?: true
  readonly destroys?: true
  /** Returns true, or the reason why the action is not allowed. Omitted for an action that is always allowed. */
  readonly may?: (machine: Machine) => TrueOrReason
} & (
  | { readonly run: (machine: Machine) => void }
  | { readonly opens: keyof WebAccess }
  | { readonly to: `/${string}`; readonly search: (machine: Machine) => Readonly<Record<string, string>> }
  /** Dialog of the action, loaded lazily so that the console's first load does not include it. */
  | {
      readonly dialog: ComponentType<MachineDialogProps>
      /** True if the action is also possible for several machines that are selected on the console. */
      readonly bulk?: true
    }
)

const EVERYBODY = ['user', 'admin', 'superadmin'] as const
const ADMINS = ['admin', 'superadmin'] as const

/** Also in the panel of a failing machine. */
export const REPLACE = {
  label: 'Replace machine…',
  roles: ADMINS,
  destroys: true,
  may: can.replace,
  dialog: lazy(() => import('./ReplaceMachine.tsx')),
} as const satisfies MachineAction

const MACHINE_ACTIONS: readonly MachineAction[] = [
  { label: 'Copy name', roles: EVERYBODY, instructors: true, run: ({ name }) => copyText(name, 'The name') },
  {
    label: 'Copy address',
    roles: EVERYBODY,
    may: ({ name, publicIp }) => publicIp !== null || `${name} has no address yet.`,
    run: ({ publicIp }) => copyText(publicIp ?? '', 'The address'),
  },
  { label: 'Timeline', roles: EVERYBODY, instructors: true, dialog: lazy(() => import('./Timeline.tsx')) },
  {
    label: 'Request Hours',
    roles: ['user'],
    may: ({ name, quota }) => quota.total !== null || `${name} has no limit of hours.`,
    to: '/requests',
    search: () => ({}),
  },
  { label: 'Session Logs', roles: EVERYBODY, to: '/vm/logs', search: ({ name }) => ({ vm: name }) },
  {
    label: 'Watch',
    roles: ADMINS,
    instructors: true,
    may: can.openInBrowser,
    opens: 'watch',
  },
  {
    label: 'Hand Over',
    roles: ADMINS,
    bulk: true,
    may: can.handOver,
    dialog: lazy(() => import('./HandOverMachine.tsx')),
  },
  {
    label: 'Reset',
    roles: ADMINS,
    bulk: true,
    instructors: true,
    destroys: true,
    may: can.reset,
    dialog: lazy(() => import('./ResetMachine.tsx')),
  },
  REPLACE,
  {
    label: 'Delete',
    roles: ADMINS,
    bulk: true,
    destroys: true,
    may: can.remove,
    dialog: lazy(() => import('./DeleteMachine.tsx')),
  },
]

/** @param isInstructor true for a user who leads the machine's class instead of owning the machine */
export const actionsOf = (role: Role, isInstructor = false): readonly MachineAction[] =>
  MACHINE_ACTIONS.filter(({ roles, instructors }) => (isInstructor ? instructors === true : roles.includes(role)))

type BulkAction = Extract<MachineAction, { dialog: unknown }> & Required<Pick<MachineAction, 'may'>>

export const bulkActionsOf = (role: Role): readonly BulkAction[] =>
  MACHINE_ACTIONS.filter(
    (action): action is BulkAction =>
      'dialog' in action && action.bulk === true && action.may !== undefined && action.roles.includes(role),
  )
