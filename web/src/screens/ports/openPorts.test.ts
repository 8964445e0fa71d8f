import { expect, test } from 'vitest'
import { portOf, priorityOf } from './openPorts.ts'

// @covers R6.8
test('a new port asks for the count of open ones plus 1001, and never for more than the provider allows', () => {
  expect(priorityOf(0)).toBe(1001)
  expect(priorityOf(7)).toBe(1008)
  expect(priorityOf(9000)).toBe(4096)
})

test.each(['0', '65536', '80.5', '-1', '1e3', 'ssh', '0x50', '999999'])('%s is no port', (typed) => {
  expect(portOf(typed, [])).toEqual({ problem: 'Enter a whole number from 1 to 65535.' })
})

test('spaces around a number do no harm; a port that is open is not opened again', () => {
  expect(portOf(' 8080 ', [22])).toEqual({ port: 8080 })
  expect(portOf('22', [22])).toEqual({ problem: 'Port 22 is open already.' })
})
