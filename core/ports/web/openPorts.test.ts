import { expect, test } from 'vitest'
import { numberIn } from '@trainyard/platform/contract/words/money.ts'
import { portNumber } from '../contract/port.ts'
import { priorityOf } from './openPorts.ts'

test("returns the number of open ports plus 1001, up to the provider's maximum", () => {
  expect(priorityOf(0)).toBe(1001)
  expect(priorityOf(7)).toBe(1008)
  expect(priorityOf(9000)).toBe(4096)
})

test.each(['0', '65536', '80.5', '-1', '1e3', 'ssh', '0x50', '999999'])('rejects the port %s', (entered) => {
  expect(portNumber.safeParse(numberIn(entered)).error?.issues[0]?.message).toBe(
    'Enter a whole number from 1 to 65535.',
  )
})
