import { expect, test } from 'vitest'
import type { Made } from './ask.ts'
import { settled } from './settled.ts'

function looks(...answers: readonly (Made | null)[]) {
  let asked = 0
  const look = async () => answers[Math.min(asked++, answers.length - 1)]!
  return { look, count: () => asked }
}
const signal = () => AbortSignal.timeout(10_000)
const DONE = { id: 'it', provisioningState: 'Succeeded' }
const AT_WORK = { id: 'it', provisioningState: 'Updating' }

test('returns at once if the first response is complete', async () => {
  const { look, count } = looks(null)
  expect(await settled('the network', DONE, look, signal())).toEqual(DONE)
  expect(count()).toBe(0)
})

test.each([
  ['without an answer it is looked for', null, [DONE], 1],
  ['what is at work is looked at again', AT_WORK, [DONE], 1],
  ['also when it does not show yet', null, [null, DONE], 2],
])('%s', async (_, first, answers, count) => {
  const seen = looks(...answers)
  expect(await settled('the network', first, seen.look, signal())).toEqual(DONE)
  expect(seen.count()).toBe(count)
})

test('rejects for a failed resource, which the next attempt recreates', async () => {
  const failed = settled('the network', { provisioningState: 'Failed' }, looks(DONE).look, signal())
  await expect(failed).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('create it again') })
})

test('rejects when the caller aborts', async () => {
  const off = settled('the network', AT_WORK, looks(AT_WORK).look, AbortSignal.timeout(20))
  await expect(off).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringContaining('aborted') })
})
