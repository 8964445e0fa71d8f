import { expect, test } from 'vitest'
import { chosenMachine } from './chosen.ts'

test('a linked machine is shown and listed, also before the list is there', () => {
  expect(chosenMachine([], 'vm-7')).toEqual({ chosen: 'vm-7', listed: ['vm-7'] })
  expect(chosenMachine(['vm-1', 'vm-7'], 'vm-7')).toEqual({ chosen: 'vm-7', listed: ['vm-1', 'vm-7'] })
})

test('a training’s only machine is chosen, and of several none', () => {
  expect(chosenMachine(['vm-1'], undefined).chosen).toBe('vm-1')
  expect(chosenMachine(['vm-1', 'vm-2'], undefined).chosen).toBeNull()
})
