import { expect, test } from 'vitest'
import { portOf, priorityOf } from './openPorts.ts'

test("returns the number of open ports plus 1001, up to the provider's maximum", () => {
  expect(priorityOf(0)).toBe(1001)
  expect(priorityOf(7)).toBe(1008)
  expect(priorityOf(9000)).toBe(4096)
})

test.each(['0', '65536', '80.5', '-1', '1e3', 'ssh', '0x50', '999999'])('rejects the port %s', (entered) => {
  expect(portOf(entered, [])).toEqual({ problem: 'Enter a whole number from 1 to 65535.' })
})

test('accepts spaces around a number, and rejects a port that is already open', () => {
  expect(portOf(' 8080 ', [22])).toEqual({ port: 8080 })
  expect(portOf('22', [22])).toEqual({ problem: 'Port 22 is already open.' })
})
