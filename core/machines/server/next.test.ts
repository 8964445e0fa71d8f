import { expect, test } from 'vitest'
import { next, type NextAction, type MachineState } from './next.ts'

const settled: MachineState = {
  desired: 'running',
  observed: 'running',
  restart_asked_at: null,
  not_before: null,
  reset_asked_at: null,
  terminated_at: null,
  command: null,
  command_accepted: false,
  capturing: false,
  password_due: false,
  refused: false,
  create_later: false,
  last_error: null,
}
const at = new Date()

const table: readonly (readonly [Partial<MachineState>, NextAction])[] = [
  [{ desired: 'running', observed: 'absent' }, 'create'],
  [{ desired: 'running', observed: 'stopped' }, 'start'],
  // A permanently refused machine waits for a user. It is still stopped if it is billed and should be stopped.
  [{ desired: 'running', observed: 'absent', refused: true, last_error: 'No such image.' }, 'settled'],
  [{ desired: 'running', observed: 'running', password_due: true, refused: true, last_error: 'Weak.' }, 'settled'],
  [{ desired: 'stopped', observed: 'running', password_due: true, refused: true, last_error: 'Weak.' }, 'stop'],
  [{ desired: 'gone', observed: 'absent', refused: true, last_error: 'No such image.' }, 'delete'],
  [{ desired: 'running', observed: 'running' }, 'settled'],
  [{ desired: 'running', observed: 'running', restart_asked_at: at }, 'restart'],
  [{ desired: 'running', observed: 'changing' }, 'wait'],
  // A machine that does not exist yet is created first and stopped afterwards.
  [{ desired: 'stopped', observed: 'absent' }, 'create'],
  [{ desired: 'stopped', observed: 'absent', create_later: true }, 'settled'],
  [{ desired: 'gone', observed: 'absent', create_later: true }, 'delete'],
  [{ desired: 'stopped', observed: 'stopped' }, 'settled'],
  [{ desired: 'stopped', observed: 'running' }, 'stop'],
  [{ desired: 'stopped', observed: 'changing' }, 'wait'],
  [{ desired: 'gone', observed: 'absent' }, 'delete'],
  [{ desired: 'gone', observed: 'stopped' }, 'delete'],
  [{ desired: 'gone', observed: 'running' }, 'delete'],
  [{ desired: 'gone', observed: 'changing' }, 'delete'],
  [{ desired: 'gone', observed: 'absent', terminated_at: at }, 'settled'],
  [{ desired: 'stopped', observed: 'stopped', capturing: true }, 'settled'],
  [{ desired: 'running', observed: 'stopped', capturing: true }, 'wait'],
  [{ desired: 'gone', observed: 'stopped', capturing: true }, 'wait'],
  [{ desired: 'stopped', observed: 'running', capturing: true }, 'stop'],
  // The machine has the password of its image.
  [{ desired: 'running', observed: 'running', password_due: true }, 'password'],
  [{ desired: 'running', observed: 'running', password_due: true, restart_asked_at: at }, 'password'],
  [{ desired: 'stopped', observed: 'running', password_due: true }, 'stop'],
  [{ desired: 'running', observed: 'absent', password_due: true }, 'create'],
  [{ desired: 'gone', observed: 'running', password_due: true }, 'delete'],
  // After a lost reply the machine is read before another command is sent, regardless of the desired state.
  [{ observed: 'absent', command: 'create' }, 'read'],
  [{ observed: 'stopped', command: 'start' }, 'read'],
  [{ desired: 'stopped', observed: 'stopped', command: 'start' }, 'read'],
  [{ desired: 'stopped', observed: 'running', command: 'stop' }, 'read'],
  [{ desired: 'gone', observed: 'changing', command: 'delete' }, 'read'],
  [{ desired: 'gone', observed: 'absent', command: 'create' }, 'delete'],
  // The machine is in its desired state, but a failure is stored. The machine is read until the failure is cleared.
  [{ desired: 'stopped', observed: 'stopped', last_error: 'The stop failed.' }, 'read'],
  [{ desired: 'running', observed: 'running', last_error: 'The restart failed.' }, 'read'],
  [{ desired: 'running', observed: 'stopped', last_error: 'No room.' }, 'start'],
  [{ desired: 'gone', observed: 'absent', last_error: 'It failed.', terminated_at: at }, 'settled'],
  [{ observed: 'changing', command: 'start', command_accepted: true }, 'wait'],
  [{ desired: 'stopped', observed: 'changing', command: 'start', command_accepted: true }, 'wait'],
  [{ desired: 'gone', observed: 'changing', command: 'create', command_accepted: true }, 'delete'],
  [{ desired: 'gone', observed: 'changing', command: 'delete', command_accepted: true }, 'delete'],
]

test.each(table)('%j: %s', (facts, expected) => {
  expect(next({ ...settled, ...facts })).toBe(expected)
})
