/** What is wanted of a machine, and what the provider was last seen to have. Nothing else is stored as its state. */
export type Desired = 'running' | 'stopped' | 'gone'
export type Observed = 'absent' | 'stopped' | 'running' | 'changing'

/** The part of a machine's row that its status follows from. */
export interface MachineFacts {
  readonly desired: Desired
  readonly observed: Observed
  /** Whether the provider ever had it: tells Creating from Starting. */
  readonly everSeen: boolean
  readonly restarting: boolean
  /** The last failure since anything went well, as a sentence; null when all is well. */
  readonly trouble: string | null
  /** Why it was terminated, where nobody asked for it; null otherwise. */
  readonly ended: string | null
}

export const MACHINE_STATUSES = [
  'Creating',
  'Starting',
  'Running',
  'Restarting',
  'Stopping',
  'Stopped',
  'Failing',
  'Deleting',
  'Terminated',
] as const
export type MachineStatus = (typeof MACHINE_STATUSES)[number]

/** What a person reads about a machine: a pure function of its row. */
export function statusOf(facts: MachineFacts): { status: MachineStatus; reason: string | null } {
  if (facts.desired === 'gone') {
    return facts.observed === 'absent' && facts.trouble === null
      ? { status: 'Terminated', reason: facts.ended }
      : { status: 'Deleting', reason: facts.trouble }
  }
  if (facts.trouble !== null) return { status: 'Failing', reason: facts.trouble }
  if (facts.desired === 'running' && facts.observed === 'running') {
    return { status: facts.restarting ? 'Restarting' : 'Running', reason: null }
  }
  if (!facts.everSeen) return { status: 'Creating', reason: null }
  if (facts.desired === 'stopped') {
    return { status: facts.observed === 'stopped' ? 'Stopped' : 'Stopping', reason: null }
  }
  return { status: facts.restarting ? 'Restarting' : 'Starting', reason: null }
}

/** What the screen and the server both know of a machine when they judge what may be done. */
export interface MachineView {
  readonly name: string
  readonly isAlive: boolean
  readonly isRunning: boolean
  readonly status: MachineStatus
  readonly guacamole: boolean
  /** Minutes; `total` null: no limit. */
  readonly quota: { readonly consumed: number; readonly total: number | null }
}

/** `true`, or the sentence that says why not. */
export type May = true | string

export const isQuotaUsedUp = ({ quota }: Pick<MachineView, 'quota'>): boolean =>
  quota.total !== null && quota.consumed >= quota.total

/** What may be done with a machine now. The screen disables with it, the server refuses with it. */
export const can = {
  powerOn(machine: MachineView): May {
    if (!machine.isAlive) return `${machine.name} is terminated.`
    if (isQuotaUsedUp(machine)) return `The allotted hours of ${machine.name} are used up.`
    if (machine.isRunning) return `${machine.name} is already running.`
    if (machine.status === 'Stopped' || machine.status === 'Stopping') return true
    return `${machine.name} is ${doing(machine.status)}.`
  },
  powerOff(machine: MachineView): May {
    if (!machine.isAlive) return `${machine.name} is terminated.`
    if (machine.isRunning && machine.status !== 'Stopping') return true
    if (machine.status === 'Failing') return true
    return machine.status === 'Stopped' ? `${machine.name} is already stopped.` : `${machine.name} is not running.`
  },
  restart(machine: MachineView): May {
    if (!machine.isAlive) return `${machine.name} is terminated.`
    if (machine.status === 'Restarting') return `${machine.name} is restarting already.`
    return machine.isRunning ? true : `${machine.name} is not running.`
  },
  capture(machine: MachineView): May {
    if (!machine.isAlive) return `${machine.name} is terminated.`
    return machine.status === 'Stopped' ? true : `Stop ${machine.name} first: an image is made of a stopped machine.`
  },
  openInBrowser(machine: MachineView): May {
    if (!machine.guacamole) return `${machine.name} was ordered without browser access.`
    return machine.isRunning ? true : `${machine.name} is not running.`
  },
}

function doing(status: MachineStatus): string {
  if (status === 'Failing') return 'being retried already'
  return status === 'Creating' ? 'still being created' : 'already starting'
}
