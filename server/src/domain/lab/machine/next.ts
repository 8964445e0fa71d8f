import type { Desired, Observed } from '@trainyard/contract/words/machine.ts'
import type { Command } from '../../../db/schema/machine.ts'

/** The part of a machine's row that decides what the reconciler does with it. */
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
  /** A creation or a password that the provider never takes as it was asked for: trying is of no use. */
  readonly refused: boolean
  /** It is to be ready by a time, and nothing is made of it yet. */
  readonly create_later: boolean
  /** The last failure since anything went well; see the machine's row. */
  readonly last_error: string | null
}

/** `hold`: its stop can be undone yet; `password`: it runs with its image's password and gets its own; `look`: a command was sent and its reply never came, or a failure is told of what is as wanted; `wait`: the provider is at work; `settled`: all is as wanted. */
export type Next = Command | 'hold' | 'password' | 'look' | 'wait' | 'settled'

/** Returns the next step for a machine now. */
export function next(machine: MachineState): Next {
  const then = nextOf(machine)
  // As wanted, and yet failing: how it stands is looked at until all is well, or something else is to be done.
  const failing = machine.last_error !== null && !machine.refused && machine.terminated_at === null
  return then === 'settled' && failing ? 'look' : then
}

/** It is to leave the provider: for good, or to be made anew. */
export const goes = ({ desired, reset_asked_at }: Pick<MachineState, 'desired' | 'reset_asked_at'>): boolean =>
  desired === 'gone' || reset_asked_at !== null

function nextOf(machine: MachineState): Next {
  if (machine.terminated_at !== null) return 'settled'
  // A machine that is reset goes first, as if for good.
  const gone = goes(machine)
  // A creation that may still be on its way is met by deleting until nothing has come for a while.
  if (machine.command !== null && !machine.command_accepted && !(gone && machine.command === 'create')) return 'look'
  // Its disk is being copied: what is wanted of it waits until that is done.
  if (machine.capturing && (gone || machine.observed === 'stopped')) {
    return gone || machine.desired === 'running' ? 'wait' : 'settled'
  }
  if (gone) return 'delete'
  switch (machine.observed) {
    case 'absent':
      return machine.refused || machine.create_later ? 'settled' : 'create'
    case 'changing':
      return 'wait'
    case 'stopped':
      return machine.desired === 'running' ? 'start' : 'settled'
    case 'running':
      if (machine.desired === 'stopped') return machine.not_before === null ? 'stop' : 'hold'
      if (machine.password_due) return machine.refused ? 'settled' : 'password'
      return machine.restart_asked_at === null ? 'settled' : 'restart'
  }
}
