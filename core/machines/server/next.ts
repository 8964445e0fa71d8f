import type { Desired, Observed } from '../contract/machine-words.ts'
import type { MachineRow } from '../tables.gen.ts'

/** A command that was sent to the provider. */
export type Command = NonNullable<MachineRow['command']>

export interface MachineState {
  readonly desired: Desired
  readonly observed: Observed
  readonly restart_asked_at: Date | null
  readonly reset_asked_at: Date | null
  readonly terminated_at: Date | null
  readonly not_before: Date | null
  readonly command: Command | null
  readonly command_accepted: boolean
  readonly capturing: boolean
  readonly password_due: boolean
  readonly refused: boolean
  readonly create_later: boolean
  /** Reason of the last failure since the last success. */
  readonly last_error: string | null
}

/**
 * - `hold`: the user can still undo the stop or start.
 * - `password`: the machine runs with the password of its image and must get a new password.
 * - `read`: read the state from the provider, because the reply to a command was lost, or because a failure is stored
 *   although the machine is in its desired state.
 * - `wait`: an operation is in progress at the provider.
 * - `settled`: the machine is in its desired state.
 */
export type NextAction = Command | 'hold' | 'password' | 'read' | 'wait' | 'settled'

export function next(machine: MachineState): NextAction {
  const step = nextStepOf(machine)
  // The state is read until the stored failure is cleared or another step is due.
  const failing = machine.last_error !== null && !machine.refused && machine.terminated_at === null
  return step === 'settled' && failing ? 'read' : step
}

export const mustDelete = ({ desired, reset_asked_at }: Pick<MachineState, 'desired' | 'reset_asked_at'>): boolean =>
  desired === 'gone' || reset_asked_at !== null

function nextStepOf(machine: MachineState): NextAction {
  if (machine.terminated_at !== null) return 'settled'
  const isLeaving = mustDelete(machine)
  // A creation may still be in progress, so the deletion is repeated until no machine has appeared for some time.
  if (machine.command !== null && !machine.command_accepted && !(isLeaving && machine.command === 'create'))
    return 'read'
  // Other changes wait while the disk is being copied.
  if (machine.capturing && (isLeaving || machine.observed === 'stopped')) {
    return isLeaving || machine.desired === 'running' ? 'wait' : 'settled'
  }
  if (isLeaving) return 'delete'
  switch (machine.observed) {
    case 'absent':
      if (machine.refused || machine.create_later) return 'settled'
      return machine.not_before === null ? 'create' : 'hold'
    case 'changing':
      return 'wait'
    case 'stopped':
      if (machine.desired !== 'running') return 'settled'
      return machine.not_before === null ? 'start' : 'hold'
    case 'running':
      if (machine.desired === 'stopped') return machine.not_before === null ? 'stop' : 'hold'
      if (machine.password_due) return machine.refused ? 'settled' : 'password'
      return machine.restart_asked_at === null ? 'settled' : 'restart'
  }
}
