/** Desired state of a machine, and the state last observed at the provider. No other state is stored. */
export type Desired = 'running' | 'stopped' | 'gone'
export type Observed = 'absent' | 'stopped' | 'running' | 'changing'

/** Fields of a machine's row that determine its status. */
export interface MachineFacts {
  readonly desired: Desired
  readonly observed: Observed
  /** True once the provider has reported the machine. Distinguishes Creating from Starting. */
  readonly everSeen: boolean
  readonly restarting: boolean
  /** An image of the machine is being created. No power change is made until then. */
  readonly capturing: boolean
  /** The machine runs but does not have its own password yet, so it cannot be used. */
  readonly unready: boolean
  /** The machine belonged to another learner before, and the pending password is for the present one. */
  readonly handedOver: boolean
  /** The machine is being deleted in order to be recreated. */
  readonly resetting: boolean
  /** Last failure since the last success, as a sentence; null if there is none. */
  readonly lastError: string | null
  /** Why the machine was terminated, if no user requested it. */
  readonly ended: string | null
  /** Why the machine was stopped, if no user requested it. */
  readonly stopReason: string | null
  /** Ordered for a later time; creation has not started. */
  readonly planned: boolean
}

export const MACHINE_STATUSES = [
  'Planned',
  'Creating',
  'Starting',
  'Running',
  'Restarting',
  'Stopping',
  'Stopped',
  'Resetting',
  'Failing',
  'Deleting',
  'Terminated',
] as const
export type MachineStatus = (typeof MACHINE_STATUSES)[number]

/** Returns the status shown to users, with its reason. */
export function statusOf(facts: MachineFacts): { status: MachineStatus; reason: string | null } {
  const held = facts.capturing ? HELD : null
  if (facts.desired === 'gone') {
    return facts.observed === 'absent' && facts.lastError === null
      ? { status: 'Terminated', reason: facts.ended }
      : { status: 'Deleting', reason: facts.lastError ?? held }
  }
  if (facts.lastError !== null) return { status: 'Failing', reason: facts.lastError }
  if (facts.planned) return { status: 'Planned', reason: facts.stopReason }
  if (facts.resetting) return { status: 'Resetting', reason: held }
  if (facts.desired === 'running' && facts.observed === 'running' && !facts.unready) {
    return { status: facts.restarting ? 'Restarting' : 'Running', reason: null }
  }
  if (facts.unready && facts.handedOver && facts.desired === 'running' && facts.observed === 'running') {
    return { status: 'Starting', reason: NEW_PASSWORD }
  }
  const ordered = facts.desired === 'running' && facts.unready && !facts.handedOver
  if (!facts.everSeen || ordered) return { status: 'Creating', reason: null }
  if (facts.desired === 'stopped') {
    return { status: facts.observed === 'stopped' ? 'Stopped' : 'Stopping', reason: held ?? facts.stopReason }
  }
  return { status: facts.restarting ? 'Restarting' : 'Starting', reason: held }
}

const HELD = 'An image of it is being made.'
const NEW_PASSWORD = 'It is being given a password for its new learner.'

/** Fields that decide which actions on a machine are allowed. */
export interface MachineView {
  readonly name: string
  readonly isAlive: boolean
  readonly isRunning: boolean
  readonly status: MachineStatus
  readonly guacamole: boolean
  readonly capturing: boolean
  /** True if the last failure is permanent. The next attempt needs a user's request. */
  readonly refused: boolean
  /** Why a spending cap keeps the machine off; null if none does. */
  readonly leash: string | null
  /** In minutes. `total` is null if there is no limit. */
  readonly quota: { readonly consumed: number; readonly total: number | null }
}

/** `true` if an action is allowed, otherwise the sentence that states why not. */
export type May = true | string

const isQuotaUsedUp = ({ quota }: Pick<MachineView, 'quota'>): boolean =>
  quota.total !== null && quota.consumed >= quota.total
const hoursUsedUp = ({ name }: MachineView): string => `The allotted hours of ${name} are used up.`

const goes = ({ isAlive, status }: MachineView): boolean => !isAlive || status === 'Deleting'
const ending = ({ isAlive, name }: MachineView): string => `${name} is ${isAlive ? 'being deleted' : 'terminated'}.`

const planned = ({ name }: MachineView): string => `${name} is not created yet: power it on first.`
const resetting = ({ name }: MachineView): string => `${name} is being reset.`

/**
 * Rules of the actions on a machine. The web app disables controls by these rules and the server rejects requests by
 * the same ones.
 */
export const can = {
  powerOn(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    if (machine.status === 'Resetting') return resetting(machine)
    if (machine.capturing) return `An image of ${machine.name} is being made: it can be started when that is done.`
    if (isQuotaUsedUp(machine)) return hoursUsedUp(machine)
    if (machine.isRunning)
      return `${machine.name} is ${machine.status === 'Stopping' ? 'being stopped' : 'already running'}.`
    if (machine.leash !== null) return machine.leash
    if (machine.status === 'Stopped' || machine.status === 'Stopping' || machine.status === 'Planned') return true
    if (machine.status === 'Failing' && machine.refused) return true
    return `${machine.name} is ${doing(machine.status)}.`
  },
  powerOff(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    if (machine.status === 'Resetting') return resetting(machine)
    if (machine.status === 'Stopping') return `${machine.name} is being stopped already.`
    if (machine.isRunning || machine.status === 'Failing') return true
    return machine.status === 'Stopped' ? `${machine.name} is already stopped.` : `${machine.name} is not running.`
  },
  restart(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    if (machine.status === 'Resetting') return resetting(machine)
    if (machine.status === 'Restarting') return `${machine.name} is restarting already.`
    if (machine.status === 'Stopping') return `${machine.name} is being stopped.`
    // A machine that could not be stopped when its hours ran out must not continue to run through restarts.
    if (isQuotaUsedUp(machine)) return hoursUsedUp(machine)
    if (!machine.isRunning) return `${machine.name} is not running.`
    return machine.leash ?? true
  },
  capture(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    if (machine.capturing) return `An image of ${machine.name} is being made already.`
    if (machine.status === 'Planned') return planned(machine)
    return machine.status === 'Stopped' ? true : `Stop ${machine.name} first: an image is made of a stopped machine.`
  },
  openInBrowser(machine: MachineView): May {
    if (!machine.guacamole) return `${machine.name} was ordered without browser access.`
    if (machine.status === 'Stopping') return `${machine.name} is being stopped.`
    if (machine.status === 'Resetting') return resetting(machine)
    return machine.isRunning ? true : `${machine.name} is not running.`
  },
  remove(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    return machine.capturing ? `An image of ${machine.name} is being made: it can be deleted when that is done.` : true
  },
  reset(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    if (machine.status === 'Resetting') return `${machine.name} is being reset already.`
    if (machine.status === 'Planned') return planned(machine)
    if (machine.capturing) return `An image of ${machine.name} is being made: it can be reset when that is done.`
    // A reset machine starts running, and being billed, immediately.
    return isQuotaUsedUp(machine) ? hoursUsedUp(machine) : (machine.leash ?? true)
  },
  handOver(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    // The provider may reject a password change while the machine is being created.
    if (machine.status === 'Resetting') return resetting(machine)
    if (machine.status === 'Planned') return planned(machine)
    return machine.status === 'Creating' ? `${machine.name} is still being created.` : true
  },
}

function doing(status: MachineStatus): string {
  if (status === 'Failing') return 'being retried already'
  return status === 'Creating' ? 'still being created' : 'already starting'
}
