/** The state that is wanted of a machine, and the one the provider was last seen to have. No other is stored. */
export type Desired = 'running' | 'stopped' | 'gone'
export type Observed = 'absent' | 'stopped' | 'running' | 'changing'

/** The part of a machine's row that its status follows from. */
export interface MachineFacts {
  readonly desired: Desired
  readonly observed: Observed
  /** True once the provider ever had it: tells Creating from Starting. */
  readonly everSeen: boolean
  readonly restarting: boolean
  /** An image of it is being made: it is held as it is until then. */
  readonly capturing: boolean
  /** It has no password of its own yet: it runs, and is nobody's to use. */
  readonly unready: boolean
  /** It had another learner before: the password that it lacks is the present one's. */
  readonly handedOver: boolean
  /** It is being deleted, to be made anew. */
  readonly resetting: boolean
  /** The last failure since anything went well, as a sentence; null when all is well. */
  readonly lastError: string | null
  /** Why it was terminated, where nobody asked for it; null otherwise. */
  readonly ended: string | null
  /** Why it was stopped, where no person asked for it; null otherwise. */
  readonly stopReason: string | null
  /** Ordered to be ready by a time: nothing was made of it yet. */
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

/** Returns the status that people read, with its reason: a pure function of the machine's row. */
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

/** The facts by which screen and server both judge the actions on a machine. */
export interface MachineView {
  readonly name: string
  readonly isAlive: boolean
  readonly isRunning: boolean
  readonly status: MachineStatus
  readonly guacamole: boolean
  readonly capturing: boolean
  /** Its failure is final: nothing is tried before somebody asks for it. */
  readonly refused: boolean
  /** The sentence of a budget's leash that keeps it off; null: none does. */
  readonly leash: string | null
  /** Minutes; `total` null: no limit. */
  readonly quota: { readonly consumed: number; readonly total: number | null }
}

/** `true`, or the sentence that says why not. */
export type May = true | string

const isQuotaUsedUp = ({ quota }: Pick<MachineView, 'quota'>): boolean =>
  quota.total !== null && quota.consumed >= quota.total
const hoursUsedUp = ({ name }: MachineView): string => `The allotted hours of ${name} are used up.`

const goes = ({ isAlive, status }: MachineView): boolean => !isAlive || status === 'Deleting'
const ending = ({ isAlive, name }: MachineView): string => `${name} is ${isAlive ? 'being deleted' : 'terminated'}.`

const planned = ({ name }: MachineView): string => `${name} is not created yet: power it on first.`
const resetting = ({ name }: MachineView): string => `${name} is being reset.`

/** The rules of the actions on a machine. The screen disables with them, the server refuses with them. */
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
    // One that could not be stopped when its hours were over must not run on by being restarted.
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
    // Made anew it runs, and is billed, before anything else.
    return isQuotaUsedUp(machine) ? hoursUsedUp(machine) : (machine.leash ?? true)
  },
  handOver(machine: MachineView): May {
    if (goes(machine)) return ending(machine)
    // A password that is changed while it is being made could be refused.
    if (machine.status === 'Resetting') return resetting(machine)
    if (machine.status === 'Planned') return planned(machine)
    return machine.status === 'Creating' ? `${machine.name} is still being created.` : true
  },
}

function doing(status: MachineStatus): string {
  if (status === 'Failing') return 'being retried already'
  return status === 'Creating' ? 'still being created' : 'already starting'
}
