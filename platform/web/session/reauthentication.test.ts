import { expect, test } from 'vitest'
import { reauthentication } from './reauthentication.ts'

test('opens one dialog for all calls that wait for a confirmation', async () => {
  const close = reauthentication.subscribe(() => {})
  const [one, other] = [reauthentication.request(), reauthentication.request()]
  reauthentication.read()!.settle(true)
  expect([await one, await other]).toEqual([true, true])
  expect(reauthentication.read()).toBeNull()
  const again = reauthentication.request()
  reauthentication.read()!.settle(false)
  expect(await again).toBe(false)
  close()
})

test('refuses if the page has no dialog, or loses it', async () => {
  expect(reauthentication.request()).toBeNull()
  const close = reauthentication.subscribe(() => {})
  const answer = reauthentication.request()
  close()
  expect(await answer).toBe(false)
})
