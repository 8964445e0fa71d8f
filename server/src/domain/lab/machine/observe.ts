import type { Desired, Observed } from '@trainyard/contract/words/machine.ts'
import type { RunCause } from '@trainyard/contract/words/run.ts'
import type { Command } from '../../../db/schema/machine.ts'
import type { MachineDeletion, Seen } from '../../../providers/cloud.ts'
import { goes } from './next.ts'

/** A sighting of a machine at its provider; `at` is the provider's clock. */
export type Observation =
  | {
      readonly kind: 'accepted'
      readonly command: Exclude<Command, 'delete'>
      readonly at: Date
      /** Where the command brought it to light. */
      readonly publicAddress?: string
    }
  | { readonly kind: 'deleted'; readonly remaining: MachineDeletion['remaining']; readonly at: Date }
  | { readonly kind: 'seen'; readonly seen: Seen; readonly publicAddress: string | null; readonly at: Date }

/** The part of a machine's row that an observation is judged against, and may change. */
export interface Believed {
  readonly desired: Desired
  readonly observed: Observed
  readonly first_seen_at: Date | null
  readonly public_ip: string | null
  readonly restart_asked_at: Date | null
  readonly reset_asked_at: Date | null
  readonly ended: string | null
  readonly command: Command | null
  readonly command_at: Date | null
  readonly command_accepted: boolean
  readonly attempts: number
  readonly last_error: string | null
  readonly password_due: boolean
}

/** The meaning of an observation: the row as it is to be believed now, and the change to the machine's run. */
export interface Meaning {
  readonly believed: Believed
  /** The instant from which, or to which, the provider bills; not yet fitted to the machine's other runs. */
  readonly run: { readonly opens: Date } | { readonly closes: Date } | null
  /** Nothing of it stands at the provider any more, and nothing is wanted. */
  readonly terminated: boolean
}

/** A look this soon after a command may still show what was before it: providers' lists lag. */
const LAG_MS = 60_000

export const VANISHED = 'It was deleted at the cloud, outside of this portal.'

/** Azure bills Starting, Running, Stopping and Stopped (halted); not Creating, Deallocating, Deallocated. */
export function observe(machine: Believed, observation: Observation): Meaning {
  const { at } = observation
  switch (observation.kind) {
    case 'accepted': {
      const addressed = { ...machine, public_ip: observation.publicAddress ?? machine.public_ip }
      return accepted(addressed, observation.command, at)
    }
    case 'deleted':
      if (observation.remaining !== 'nothing') return accepted(machine, 'delete', at)
      return {
        believed: {
          ...machine,
          ...WELL,
          observed: 'absent',
          restart_asked_at: null,
          ...(goesForGood(machine) ? {} : NEW),
        },
        run: { closes: at },
        terminated: goesForGood(machine),
      }
    case 'seen': {
      const { publicAddress } = observation
      const { believed, ...rest } = seen(machine, observation.seen, at)
      return { ...rest, believed: publicAddress === null ? believed : { ...believed, public_ip: publicAddress } }
    }
  }
}

/** Returns the cause to record where a run was opened or closed by this observation. */
export function causeOf(observation: Observation): RunCause {
  switch (observation.kind) {
    case 'accepted':
      return `${observation.command} accepted`
    case 'deleted':
      return observation.remaining === 'nothing' ? 'deleted' : 'delete accepted'
    case 'seen':
      return `seen ${observation.seen.state}`
  }
}

const NO_COMMAND = { command: null, command_at: null, command_accepted: false } as const
/** Nothing stands of what is reset: from here on it is like one that was just ordered. */
const NEW = { first_seen_at: null, public_ip: null, reset_asked_at: null } as const
const goesForGood = ({ desired }: Believed): boolean => desired === 'gone'
const WELL = { ...NO_COMMAND, attempts: 0, last_error: null } as const

const means = (believed: Believed, run: Meaning['run'] = null): Meaning => ({ believed, run, terminated: false })

function accepted(machine: Believed, command: Command, at: Date): Meaning {
  const working = { command, command_at: at, command_accepted: true, observed: 'changing', last_error: null } as const
  const believed: Believed = { ...machine, ...working }
  switch (command) {
    case 'start':
      return means(believed, { opens: at })
    case 'stop':
    case 'delete':
      return means(believed, { closes: at })
    case 'create':
    case 'restart':
      return means(believed)
  }
}

function seen(machine: Believed, seen: Seen, at: Date): Meaning {
  // A deletion under way is followed by deleting, until nothing remains: looks have nothing to add, but that it failed.
  if (machine.command === 'delete' && machine.command_accepted) return undeleted(machine, seen) ?? means(machine)
  // Of the machine that stood here before it was reset: lists lag.
  if (machine.command === 'create' && machine.command_accepted && endedBefore(seen, machine.command_at!)) {
    return means(machine)
  }
  switch (seen.state) {
    case 'running':
      return running(machine, seen, at)
    case 'halted':
      return halted(machine, seen, at)
    case 'stopped':
      return stopped(machine, seen, at)
    case 'changing':
      return changing(machine, seen.toward, at)
    case 'failed':
      return failed(machine, seen, at)
    case 'absent':
      return absent(machine, at)
  }
}

/** A deletion was taken and then failed: the machine stands, and is billed again from then if it runs. */
function undeleted(machine: Believed, seen: Seen): Meaning | null {
  if (!('failure' in seen) || !goes(machine)) return null
  const { since } = seen
  if (since === null || since < machine.command_at!) return null
  const observed = seen.state === 'stopped' ? 'stopped' : 'running'
  const believed: Believed = { ...machine, ...failing(machine, 'delete', seen), observed }
  return means(believed, observed === 'running' ? { opens: since } : null)
}

type Toward = Extract<Seen, { state: 'changing' }>['toward']

/** A machine at rest, since when, and the failure that the last operation on it ended in. */
type AtRest = Pick<Extract<Seen, { since: Date | null }>, 'since'> & { readonly failure?: string }

function running(machine: Believed, seen: AtRest, at: Date): Meaning {
  const { command, command_at, desired } = machine
  const { since } = seen
  if (command === 'stop' && lags(machine, seen, at)) return means(machine)
  const believed: Believed = {
    ...machine,
    // An error about its own password is not over because it runs.
    ...(desired === 'running' && !machine.password_due && !goes(machine) ? WELL : failing(machine, 'stop', seen)),
    observed: 'running',
    first_seen_at: machine.first_seen_at ?? at,
    desired: drifted(machine, 'running', seen) ? 'running' : desired,
    // Asked for and sent, it was done once: a restart whose reply was lost is not done again.
    restart_asked_at: command === 'restart' ? null : machine.restart_asked_at,
  }
  // A stop that was taken and then failed: it ran on, from the instant at which its run was closed.
  const ranOn = command === 'stop' && machine.command_accepted && (since === null || isBefore(since, command_at!))
  return means(believed, { opens: command === 'start' || ranOn ? command_at! : (since ?? at) })
}

/** Shut down from inside: it does not run, and is billed until it is deallocated. */
function halted(machine: Believed, seen: AtRest, at: Date): Meaning {
  const { command, command_at, desired } = machine
  if ((command === 'stop' || command === 'start') && lags(machine, seen, at)) return means(machine)
  const believed: Believed = {
    ...machine,
    ...failing(machine, 'stop', seen),
    observed: 'running',
    first_seen_at: machine.first_seen_at ?? at,
    desired: goes(machine) ? desired : 'stopped',
    restart_asked_at: null,
  }
  return means(believed, { opens: command === 'start' ? command_at! : (seen.since ?? at) })
}

function stopped(machine: Believed, seen: AtRest, at: Date): Meaning {
  const { command, command_at, desired } = machine
  if (command === 'start' && lags(machine, seen, at)) return means(machine)
  const believed: Believed = {
    ...machine,
    // The wish is fulfilled, however it came about: nothing is left to try again.
    ...(desired === 'stopped' && !goes(machine) ? WELL : failing(machine, 'start', seen)),
    observed: 'stopped',
    first_seen_at: machine.first_seen_at ?? at,
    desired: drifted(machine, 'stopped', seen) ? 'stopped' : desired,
    restart_asked_at: null,
  }
  return means(believed, { closes: command === 'stop' ? command_at! : (seen.since ?? at) })
}

/** The command has come to its end. Where it is the one that failed, that is counted, once, and its reason shown. */
function failing(
  machine: Believed,
  command: 'start' | 'stop' | 'delete',
  { since, failure }: AtRest,
): Partial<Believed> {
  if (failure === undefined || machine.command !== command || isBefore(since, machine.command_at!)) return NO_COMMAND
  return { ...NO_COMMAND, attempts: machine.attempts + 1, last_error: failure }
}

const GOAL: Record<Command, Toward> = {
  create: 'running',
  start: 'running',
  restart: 'running',
  stop: 'stopped',
  delete: 'absent',
}

function changing(machine: Believed, toward: Toward, at: Date): Meaning {
  const { command, command_at, desired, observed } = machine
  if (command !== null) {
    if (machine.command_accepted || (toward !== GOAL[command] && command !== 'restart')) return means(machine)
    // The command whose reply was lost is at work: it was taken when it was sent.
    return accepted(machine, command, command_at!)
  }
  if (toward === 'absent') return means({ ...machine, observed: 'changing' }, { closes: at })
  // Somebody else is at work on a machine that was as wanted: what they do is followed.
  if (toward === 'running' && observed === 'stopped') {
    const followed = desired === 'stopped' ? 'running' : desired
    return means({ ...machine, observed: 'changing', desired: followed }, { opens: at })
  }
  if (toward === 'stopped' && observed === 'running') {
    const followed = desired === 'running' ? 'stopped' : desired
    return means({ ...machine, observed: 'changing', desired: followed, restart_asked_at: null }, { closes: at })
  }
  return means(machine)
}

/** The last operation failed, and the provider does not say what the machine does. */
function failed(machine: Believed, { reason, since }: Extract<Seen, { state: 'failed' }>, at: Date): Meaning {
  const { command, command_at } = machine
  if (machine.first_seen_at !== null) {
    // It stands and may run: only a start that ended so, and some time ago, tells that it doesn't.
    const over = command === 'start' && at.getTime() - command_at!.getTime() >= LAG_MS
    return over ? stopped(machine, { since, failure: reason }, at) : means(machine)
  }
  // It was seen to have failed before, and nothing was tried since.
  if (command === null && machine.observed === 'absent') return means(machine)
  const believed: Believed = {
    ...machine,
    ...NO_COMMAND,
    observed: 'absent',
    restart_asked_at: null,
    attempts: machine.attempts + 1,
    last_error: reason,
  }
  return means(believed, { closes: since ?? at })
}

function absent(machine: Believed, at: Date): Meaning {
  const { command, command_at } = machine
  if (command === 'create') {
    // On its way to deletion a lost creation is remembered: it may still come.
    if (!machine.command_accepted) {
      return means(goes(machine) ? machine : { ...machine, ...NO_COMMAND, observed: 'absent' })
    }
    if (lags(machine, { since: null }, at)) return means(machine)
  }
  if (command === 'delete') return accepted(machine, 'delete', command_at!)
  if (machine.observed === 'absent') return means(machine)
  if (goes(machine)) return means({ ...machine, ...NO_COMMAND, observed: 'changing' }, { closes: at })
  // Never silently made again: what was on it is lost, and its learner must know.
  const believed: Believed = {
    ...machine,
    ...WELL,
    observed: 'changing',
    desired: 'gone',
    ended: VANISHED,
    restart_asked_at: null,
  }
  return means(believed, { closes: at })
}

const endedBefore = (seen: Seen, sent: Date): boolean => 'since' in seen && isBefore(seen.since, sent)

/** Somebody else moved a machine that was as wanted, or moved it after our command had: that is followed, not fought. */
function drifted(machine: Believed, to: 'running' | 'stopped', { since, failure }: AtRest): boolean {
  const { command, desired } = machine
  if (desired === to || goes(machine) || failure !== undefined) return false
  if (command === null) return machine.observed === desired
  return machine.command_accepted && since !== null && command === (to === 'running' ? 'stop' : 'start')
}

/** A look soon after an accepted command that still shows what was before it. */
function lags(machine: Believed, { since, failure }: AtRest, at: Date): boolean {
  if (!machine.command_accepted) return false
  const sent = machine.command_at!
  // An operation that ended well in the second of the command was before it; one that failed then may be the command
  // itself.
  const old = since === null || (failure === undefined ? since <= sent : isBefore(since, sent))
  return old && at.getTime() - sent.getTime() < LAG_MS
}

const isBefore = (since: Date | null, sent: Date): boolean => since !== null && since < sent
