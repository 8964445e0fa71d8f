import { expect, test } from 'vitest'
import { next, type Next, type MachineState } from './next.ts'

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

const table: readonly (readonly [Partial<MachineState>, Next])[] = [
  [{ desired: 'running', observed: 'absent' }, 'create'],
  [{ desired: 'running', observed: 'stopped' }, 'start'],
  // Refused for good, it waits for a person; what is billed and should not be is stopped all the same.
  [{ desired: 'running', observed: 'absent', refused: true, last_error: 'No such image.' }, 'settled'],
  [{ desired: 'running', observed: 'running', password_due: true, refused: true, last_error: 'Weak.' }, 'settled'],
  [{ desired: 'stopped', observed: 'running', password_due: true, refused: true, last_error: 'Weak.' }, 'stop'],
  [{ desired: 'gone', observed: 'absent', refused: true, last_error: 'No such image.' }, 'delete'],
  [{ desired: 'running', observed: 'running' }, 'settled'],
  [{ desired: 'running', observed: 'running', restart_asked_at: at }, 'restart'],
  [{ desired: 'running', observed: 'changing' }, 'wait'],
  // It was ordered, so it is made, and stopped then.
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
  // An image of it is being made.
  [{ desired: 'stopped', observed: 'stopped', capturing: true }, 'settled'],
  [{ desired: 'running', observed: 'stopped', capturing: true }, 'wait'],
  [{ desired: 'gone', observed: 'stopped', capturing: true }, 'wait'],
  [{ desired: 'stopped', observed: 'running', capturing: true }, 'stop'],
  // It came with its image's password.
  [{ desired: 'running', observed: 'running', password_due: true }, 'password'],
  [{ desired: 'running', observed: 'running', password_due: true, restart_asked_at: at }, 'password'],
  [{ desired: 'stopped', observed: 'running', password_due: true }, 'stop'],
  [{ desired: 'running', observed: 'absent', password_due: true }, 'create'],
  [{ desired: 'gone', observed: 'running', password_due: true }, 'delete'],
  // A reply that never came: looked at before anything is done again, whatever is wanted by now.
  [{ observed: 'absent', command: 'create' }, 'look'],
  [{ observed: 'stopped', command: 'start' }, 'look'],
  [{ desired: 'stopped', observed: 'stopped', command: 'start' }, 'look'],
  [{ desired: 'stopped', observed: 'running', command: 'stop' }, 'look'],
  [{ desired: 'gone', observed: 'changing', command: 'delete' }, 'look'],
  [{ desired: 'gone', observed: 'absent', command: 'create' }, 'delete'],
  // It is as wanted and a failure is told of it: that is not left so.
  [{ desired: 'stopped', observed: 'stopped', last_error: 'The stop failed.' }, 'look'],
  [{ desired: 'running', observed: 'running', last_error: 'The restart failed.' }, 'look'],
  [{ desired: 'running', observed: 'stopped', last_error: 'No room.' }, 'start'],
  [{ desired: 'gone', observed: 'absent', last_error: 'It failed.', terminated_at: at }, 'settled'],
  // Accepted: the provider is at work.
  [{ observed: 'changing', command: 'start', command_accepted: true }, 'wait'],
  [{ desired: 'stopped', observed: 'changing', command: 'start', command_accepted: true }, 'wait'],
  [{ desired: 'gone', observed: 'changing', command: 'create', command_accepted: true }, 'delete'],
  [{ desired: 'gone', observed: 'changing', command: 'delete', command_accepted: true }, 'delete'],
]

test.each(table)('%j: %s', (facts, expected) => {
  expect(next({ ...settled, ...facts })).toBe(expected)
})
