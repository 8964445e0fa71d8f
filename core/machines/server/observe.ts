import type { Desired, Observed } from '../contract/machine-words.ts'
import type { RunCause } from '@trainyard/usage/contract/run.ts'
import type { MachineDeletion, CloudMachineState } from '@trainyard/templates/server/cloud.ts'
import { type Command, mustDelete } from './next.ts'

/** Observation of a machine. `at` is measured by the provider's clock. */
export type Observation =
  | {
      readonly kind: 'accepted'
      readonly command: Exclude<Command, 'delete'>
      readonly at: Date
      readonly address?: string
      readonly isFinished?: boolean
    }
  | { readonly kind: 'deleted'; readonly remaining: MachineDeletion['remaining']; readonly at: Date }
  | {
      readonly kind: 'seen'
      readonly seen: CloudMachineState
      readonly address: string | null
      readonly at: Date
    }

export interface ObservedFields {
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

export interface ObservationResult {
  readonly fields: ObservedFields
  /** Start or end of billing at the provider, before it is checked for overlap with other runs. */
  readonly run: { readonly opens: Date } | { readonly closes: Date } | null
  readonly terminated: boolean
}

/** Time during which a read may still return the previous state, because the provider's lists lag. */
const LAG_MS = 60_000

export const VANISHED = 'It was deleted at the cloud outside of this portal.'

export function observe(machine: ObservedFields, observation: Observation): ObservationResult {
  const { at } = observation
  switch (observation.kind) {
    case 'accepted': {
      const addressed = { ...machine, public_ip: observation.address ?? machine.public_ip }
      return accepted(addressed, observation.command, at)
    }
    case 'deleted':
      if (observation.remaining !== 'nothing') return accepted(machine, 'delete', at)
      return {
        fields: {
          ...machine,
          ...NO_FAILURE,
          observed: 'absent',
          restart_asked_at: null,
          ...(isPermanentDeletion(machine) ? {} : RESET_FIELDS),
        },
        run: { closes: at },
        terminated: isPermanentDeletion(machine),
      }
    case 'seen': {
      const { address } = observation
      const { fields, ...rest } = state(machine, observation.seen, at)
      return { ...rest, fields: address === null ? fields : { ...fields, public_ip: address } }
    }
  }
}

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
/** Values of a newly ordered machine, which a reset restores. */
const RESET_FIELDS = { first_seen_at: null, public_ip: null, reset_asked_at: null } as const
const isPermanentDeletion = ({ desired }: ObservedFields): boolean => desired === 'gone'
const NO_FAILURE = { ...NO_COMMAND, attempts: 0, last_error: null } as const

const result = (fields: ObservedFields, run: ObservationResult['run'] = null): ObservationResult => ({
  fields,
  run,
  terminated: false,
})

function accepted(machine: ObservedFields, command: Command, at: Date): ObservationResult {
  const inProgress = {
    command,
    command_at: at,
    command_accepted: true,
    observed: 'changing',
    last_error: null,
  } as const
  const fields: ObservedFields = { ...machine, ...inProgress }
  switch (command) {
    case 'start':
      return result(fields, { opens: at })
    case 'stop':
    case 'delete':
      return result(fields, { closes: at })
    case 'create':
    case 'restart':
      return result(fields)
  }
}

function state(machine: ObservedFields, state: CloudMachineState, at: Date): ObservationResult {
  // While a deletion is in progress, `delete` reports its progress. A read only adds whether the deletion failed.
  if (machine.command === 'delete' && machine.command_accepted) return failedDeletion(machine, state) ?? result(machine)
  // The read shows the machine before the reset, because lists lag.
  if (machine.command === 'create' && machine.command_accepted && endedBefore(state, machine.command_at!)) {
    return result(machine)
  }
  switch (state.state) {
    case 'running':
      return running(machine, state, at)
    case 'halted':
      return halted(machine, state, at)
    case 'stopped':
      return stopped(machine, state, at)
    case 'changing':
      return changing(machine, state.toward, at)
    case 'failed':
      return failed(machine, state, at)
    case 'absent':
      return absent(machine, at)
  }
}

/** Handles a failed deletion. The machine still exists, and is billed from then on if it runs. */
function failedDeletion(machine: ObservedFields, state: CloudMachineState): ObservationResult | null {
  if (!('failure' in state) || !mustDelete(machine)) return null
  const { since } = state
  if (since === null || since < machine.command_at!) return null
  const observed = state.state === 'stopped' ? 'stopped' : 'running'
  const fields: ObservedFields = { ...machine, ...finishedCommand(machine, 'delete', state), observed }
  return result(fields, observed === 'running' ? { opens: since } : null)
}

type Toward = Extract<CloudMachineState, { state: 'changing' }>['toward']

type AtRest = Pick<Extract<CloudMachineState, { since: Date | null }>, 'since'> & { readonly failure?: string }

function running(machine: ObservedFields, state: AtRest, at: Date): ObservationResult {
  const { command, command_at, desired } = machine
  const { since } = state
  if (command === 'stop' && isStaleRead(machine, state, at)) return result(machine)
  const fields: ObservedFields = {
    ...machine,
    // A running machine may still have an error about its password.
    ...(desired === 'running' && !machine.password_due && !mustDelete(machine)
      ? NO_FAILURE
      : finishedCommand(machine, 'stop', state)),
    observed: 'running',
    first_seen_at: machine.first_seen_at ?? at,
    desired: wasChangedOutside(machine, 'running', state) ? 'running' : desired,
    // A restart that was sent counts as done, even if its reply was lost, so that it is not repeated.
    restart_asked_at: command === 'restart' ? null : machine.restart_asked_at,
  }
  // A stop was accepted and then failed. The machine continued to run from the time at which its run was closed.
  const keptRunning = command === 'stop' && machine.command_accepted && (since === null || isBefore(since, command_at!))
  return result(fields, { opens: command === 'start' || keptRunning ? command_at! : (since ?? at) })
}

/** Handles a machine that was shut down from inside. The machine is billed until it is deallocated. */
function halted(machine: ObservedFields, state: AtRest, at: Date): ObservationResult {
  const { command, command_at, desired } = machine
  if ((command === 'stop' || command === 'start') && isStaleRead(machine, state, at)) return result(machine)
  const fields: ObservedFields = {
    ...machine,
    ...finishedCommand(machine, 'stop', state),
    observed: 'running',
    first_seen_at: machine.first_seen_at ?? at,
    desired: mustDelete(machine) ? desired : 'stopped',
    restart_asked_at: null,
  }
  return result(fields, { opens: command === 'start' ? command_at! : (state.since ?? at) })
}

function stopped(machine: ObservedFields, state: AtRest, at: Date): ObservationResult {
  const { command, command_at, desired } = machine
  if (command === 'start' && isStaleRead(machine, state, at)) return result(machine)
  const fields: ObservedFields = {
    ...machine,
    // The machine is stopped as desired, so no failure must be retried.
    ...(desired === 'stopped' && !mustDelete(machine) ? NO_FAILURE : finishedCommand(machine, 'start', state)),
    observed: 'stopped',
    first_seen_at: machine.first_seen_at ?? at,
    desired: wasChangedOutside(machine, 'stopped', state) ? 'stopped' : desired,
    restart_asked_at: null,
  }
  return result(fields, { closes: command === 'stop' ? command_at! : (state.since ?? at) })
}

function finishedCommand(
  machine: ObservedFields,
  command: 'start' | 'stop' | 'delete',
  { since, failure }: AtRest,
): Partial<ObservedFields> {
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

function changing(machine: ObservedFields, toward: Toward, at: Date): ObservationResult {
  const { command, command_at, desired, observed } = machine
  if (command !== null) {
    if (machine.command_accepted || (toward !== GOAL[command] && command !== 'restart')) return result(machine)
    // The command whose reply was lost is in progress, so it was accepted when it was sent.
    return accepted(machine, command, command_at!)
  }
  if (toward === 'absent') return result({ ...machine, observed: 'changing' }, { closes: at })
  // The machine was in its desired state, and a change from outside the portal is in progress. Adopt the new state.
  if (toward === 'running' && observed === 'stopped') {
    const adopted = desired === 'stopped' ? 'running' : desired
    return result({ ...machine, observed: 'changing', desired: adopted }, { opens: at })
  }
  if (toward === 'stopped' && observed === 'running') {
    const adopted = desired === 'running' ? 'stopped' : desired
    return result({ ...machine, observed: 'changing', desired: adopted, restart_asked_at: null }, { closes: at })
  }
  return result(machine)
}

function failed(
  machine: ObservedFields,
  { reason, since }: Extract<CloudMachineState, { state: 'failed' }>,
  at: Date,
): ObservationResult {
  const { command, command_at } = machine
  if (machine.first_seen_at !== null) {
    // The machine exists and may run. Only a failed start after the lag proves that the machine does not run.
    const hasFailed = command === 'start' && at.getTime() - command_at!.getTime() >= LAG_MS
    return hasFailed ? stopped(machine, { since, failure: reason }, at) : result(machine)
  }
  // This failure is already stored, and no command was sent since.
  if (command === null && machine.observed === 'absent') return result(machine)
  const fields: ObservedFields = {
    ...machine,
    ...NO_COMMAND,
    observed: 'absent',
    restart_asked_at: null,
    attempts: machine.attempts + 1,
    last_error: reason,
  }
  return result(fields, { closes: since ?? at })
}

function absent(machine: ObservedFields, at: Date): ObservationResult {
  const { command, command_at } = machine
  if (command === 'create') {
    // While the machine must be deleted, a creation with a lost reply remains stored, because the machine may still
    // appear.
    if (!machine.command_accepted) {
      return result(mustDelete(machine) ? machine : { ...machine, ...NO_COMMAND, observed: 'absent' })
    }
    if (isStaleRead(machine, { since: null }, at)) return result(machine)
  }
  if (command === 'delete') return accepted(machine, 'delete', command_at!)
  if (machine.observed === 'absent') return result(machine)
  if (mustDelete(machine)) return result({ ...machine, ...NO_COMMAND, observed: 'changing' }, { closes: at })
  // The machine is not recreated automatically, because its data is lost and the learner must be informed.
  const fields: ObservedFields = {
    ...machine,
    ...NO_FAILURE,
    observed: 'changing',
    desired: 'gone',
    ended: VANISHED,
    restart_asked_at: null,
  }
  return result(fields, { closes: at })
}

const endedBefore = (state: CloudMachineState, sent: Date): boolean => 'since' in state && isBefore(state.since, sent)

function wasChangedOutside(machine: ObservedFields, to: 'running' | 'stopped', { since, failure }: AtRest): boolean {
  const { command, desired } = machine
  if (desired === to || mustDelete(machine) || failure !== undefined) return false
  if (command === null) return machine.observed === desired
  return machine.command_accepted && since !== null && command === (to === 'running' ? 'stop' : 'start')
}

function isStaleRead(machine: ObservedFields, { since, failure }: AtRest, at: Date): boolean {
  if (!machine.command_accepted) return false
  const sent = machine.command_at!
  // A success in the same second is earlier than the command. A failure may belong to the command.
  const old = since === null || (failure === undefined ? since <= sent : isBefore(since, sent))
  return old && at.getTime() - sent.getTime() < LAG_MS
}

const isBefore = (since: Date | null, sent: Date): boolean => since !== null && since < sent
