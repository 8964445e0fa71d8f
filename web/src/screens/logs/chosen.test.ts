import { expect, test } from 'vitest'
import { chosenMachine } from './chosen.ts'

test('a linked machine is shown and listed, also before the list is there', () => {
  expect(chosenMachine([], 'vm-7')).toEqual({ chosen: 'vm-7', listed: ['vm-7'] })
  expect(chosenMachine(['vm-1', 'vm-7'], 'vm-7')).toEqual({ chosen: 'vm-7', listed: ['vm-1', 'vm-7'] })
})

test('an only machine is chosen by itself; of several, none is', () => {
  expect(chosenMachine(['vm-1'], undefined).chosen).toBe('vm-1')
  expect(chosenMachine(['vm-1', 'vm-2'], undefined).chosen).toBeNull()
})
