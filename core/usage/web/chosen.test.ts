import { expect, test } from 'vitest'
import { ALL_MACHINES, chosenMachine } from './chosen.ts'

test('selects and lists a linked machine, even before the list has loaded', () => {
  expect(chosenMachine([], 'vm-7')).toEqual({ chosen: 'vm-7', listed: ['vm-7'] })
  expect(chosenMachine(['vm-1', 'vm-7'], 'vm-7')).toEqual({ chosen: 'vm-7', listed: ['vm-1', 'vm-7'] })
})

test('does not list the choice of all machines as a machine', () => {
  expect(chosenMachine(['vm-1', 'vm-7'], ALL_MACHINES)).toEqual({ chosen: ALL_MACHINES, listed: ['vm-1', 'vm-7'] })
})

test('selects the machine of a training with one machine, and no machine of a training with several', () => {
  expect(chosenMachine(['vm-1'], undefined).chosen).toBe('vm-1')
  expect(chosenMachine(['vm-1', 'vm-2'], undefined).chosen).toBeNull()
})
