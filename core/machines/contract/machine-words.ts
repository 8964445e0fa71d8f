import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
export type Desired = 'running' | 'stopped' | 'gone'
export type Observed = 'absent' | 'stopped' | 'running' | 'changing'

/** Value of a ready machine's `email`. Bills show it instead of the learner. */
export const READY_MACHINE = 'ready machine'

export interface MachineStatusFacts {
  readonly desired: Desired
  readonly observed: Observed
  /** False before the provider first reported the machine. Distinguishes Creating from Starting. */
  readonly everSeen: boolean
  readonly restarting: boolean
  /** True while an image of the machine is captured. Its power does not change until the image is created. */
  readonly capturing: boolean
  /** True if the machine runs but does not have its own password yet. */
  readonly unready: boolean
  /** True if the pending password is for a new learner. */
  readonly handedOver: boolean
  readonly resetting: boolean
  readonly lastError: string | null
  /** null if a user requested it. */
  readonly ended: string | null
  /** null if a user requested it. */
  readonly stopReason: string | null
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

export function statusOf(facts: MachineStatusFacts): { status: MachineStatus; reason: string | null } {
  const imageReason = facts.capturing ? IMAGE_IN_PROGRESS : null
  if (facts.desired === 'gone') {
    return facts.observed === 'absent' && facts.lastError === null
      ? { status: 'Terminated', reason: facts.ended }
      : { status: 'Deleting', reason: facts.lastError ?? imageReason }
  }
  if (facts.lastError !== null) return { status: 'Failing', reason: facts.lastError }
  if (facts.planned) return { status: 'Planned', reason: facts.stopReason }
  if (facts.resetting) return { status: 'Resetting', reason: imageReason }
  if (facts.desired === 'running' && facts.observed === 'running' && !facts.unready) {
    return { status: facts.restarting ? 'Restarting' : 'Running', reason: null }
  }
  if (facts.unready && facts.handedOver && facts.desired === 'running' && facts.observed === 'running') {
    return { status: 'Starting', reason: NEW_PASSWORD }
  }
  const ordered = facts.desired === 'running' && facts.unready && !facts.handedOver
  if (!facts.everSeen || ordered) return { status: 'Creating', reason: null }
  if (facts.desired === 'stopped') {
    return { status: facts.observed === 'stopped' ? 'Stopped' : 'Stopping', reason: imageReason ?? facts.stopReason }
  }
  return { status: facts.restarting ? 'Restarting' : 'Starting', reason: imageReason }
}

const IMAGE_IN_PROGRESS = 'An image of this machine is being created.'
const NEW_PASSWORD = 'The password for the new learner is being set.'

export interface MachineActionFacts {
  readonly name: string
  /** The learner. */
  readonly email?: string
  readonly isAlive: boolean
  readonly isRunning: boolean
  readonly status: MachineStatus
  readonly guacamole: boolean
  readonly capturing: boolean
  /** The next attempt needs a user's request. */
  readonly refused: boolean
  readonly spendingCapReason: string | null
  /** False if the viewer cannot start a planned machine before its time. */
  readonly earlyStart?: boolean
  /** Quota in minutes. `total` is null if there is no limit. */
  readonly quota: { readonly consumed: number; readonly total: number | null }
}

const isQuotaUsedUp = ({ quota }: Pick<MachineActionFacts, 'quota'>): boolean =>
  quota.total !== null && quota.consumed >= quota.total
const quotaReason = ({ name }: MachineActionFacts): string => `The allocated hours of ${name} are used up.`

const isTerminatedOrDeleting = ({ isAlive, status }: MachineActionFacts): boolean => !isAlive || status === 'Deleting'
const terminatedReason = ({ isAlive, name }: MachineActionFacts): string =>
  `${name} is ${isAlive ? 'being deleted' : 'terminated'}.`

const notCreatedReason = ({ name }: MachineActionFacts): string => `${name} is not created yet. Power it on first.`
const plannedReason = ({ name }: MachineActionFacts): string =>
  `${name} starts automatically in time for the class. Your instructor can allow an earlier start.`
const resettingReason = ({ name }: MachineActionFacts): string => `${name} is being reset.`
const capturingReason = ({ name }: MachineActionFacts): string =>
  `An image of ${name} is being created. Try again when the image is ready.`

/** The web app disables controls by these rules, and the server rejects requests by the same rules. */
export const can = {
  powerOn(machine: MachineActionFacts): TrueOrReason {
    if (isTerminatedOrDeleting(machine)) return terminatedReason(machine)
    if (machine.status === 'Resetting') return resettingReason(machine)
    if (machine.capturing) return capturingReason(machine)
    if (isQuotaUsedUp(machine)) return quotaReason(machine)
    if (machine.isRunning)
      return `${machine.name} is ${machine.status === 'Stopping' ? 'being stopped' : 'already running'}.`
    if (machine.spendingCapReason !== null) return machine.spendingCapReason
    if (machine.status === 'Planned' && machine.earlyStart === false) return plannedReason(machine)
    if (machine.status === 'Stopped' || machine.status === 'Stopping' || machine.status === 'Planned') return true
    if (machine.status === 'Failing' && machine.refused) return true
    return `${machine.name} is ${activityText(machine.status)}.`
  },
  powerOff(machine: MachineActionFacts): TrueOrReason {
    if (isTerminatedOrDeleting(machine)) return terminatedReason(machine)
    if (machine.status === 'Resetting') return resettingReason(machine)
    if (machine.status === 'Stopping') return `${machine.name} is already being stopped.`
    if (machine.isRunning || machine.status === 'Failing') return true
    return machine.status === 'Stopped' ? `${machine.name} is already stopped.` : `${machine.name} is not running.`
  },
  restart(machine: MachineActionFacts): TrueOrReason {
    if (isTerminatedOrDeleting(machine)) return terminatedReason(machine)
    if (machine.status === 'Resetting') return resettingReason(machine)
    if (machine.status === 'Restarting') return `${machine.name} is already restarting.`
    if (machine.status === 'Stopping') return `${machine.name} is being stopped.`
    // A machine that could not be stopped when its hours ran out must not continue to run through restarts.
    if (isQuotaUsedUp(machine)) return quotaReason(machine)
    if (!machine.isRunning) return `${machine.name} is not running.`
    return machine.spendingCapReason ?? true
  },
  capture(machine: MachineActionFacts): TrueOrReason {
    if (isTerminatedOrDeleting(machine)) return terminatedReason(machine)
    if (machine.capturing) return `An image of ${machine.name} is already being created.`
    if (machine.status === 'Planned') return notCreatedReason(machine)
    return machine.status === 'Stopped'
      ? true
      : `Stop ${machine.name} first. An image can be created only from a stopped machine.`
  },
  openInBrowser(machine: MachineActionFacts): TrueOrReason {
    if (!machine.guacamole) return `${machine.name} was ordered without browser access.`
    if (machine.status === 'Stopping') return `${machine.name} is being stopped.`
    if (machine.status === 'Resetting') return resettingReason(machine)
    return machine.isRunning ? true : `${machine.name} is not running.`
  },
  remove(machine: MachineActionFacts): TrueOrReason {
    if (isTerminatedOrDeleting(machine)) return terminatedReason(machine)
    return machine.capturing ? capturingReason(machine) : true
  },
  reset(machine: MachineActionFacts): TrueOrReason {
    if (isTerminatedOrDeleting(machine)) return terminatedReason(machine)
    if (machine.status === 'Resetting') return `${machine.name} is already being reset.`
    if (machine.status === 'Planned') return notCreatedReason(machine)
    if (machine.capturing) return capturingReason(machine)
    // A reset machine starts running, and being billed, immediately.
    return isQuotaUsedUp(machine) ? quotaReason(machine) : (machine.spendingCapReason ?? true)
  },
  replace(machine: MachineActionFacts): TrueOrReason {
    // A machine that was never created is shown as terminated before its row is.
    if (isTerminatedOrDeleting(machine) || machine.status === 'Terminated') return terminatedReason(machine)
    if (machine.status === 'Planned') return notCreatedReason(machine)
    if (machine.capturing) return capturingReason(machine)
    // The name of a machine for the portal's own use is no address.
    if (machine.email?.includes('@') === false) return `${machine.name} has no learner.`
    return isQuotaUsedUp(machine) ? quotaReason(machine) : true
  },
  handOver(machine: MachineActionFacts): TrueOrReason {
    if (isTerminatedOrDeleting(machine)) return terminatedReason(machine)
    // The provider may reject a password change while the machine is being created.
    if (machine.status === 'Resetting') return resettingReason(machine)
    if (machine.status === 'Planned') return notCreatedReason(machine)
    return machine.status === 'Creating' ? `${machine.name} is still being created.` : true
  },
}

function activityText(status: MachineStatus): string {
  if (status === 'Failing') return 'already being retried'
  return status === 'Creating' ? 'still being created' : 'already starting'
}
