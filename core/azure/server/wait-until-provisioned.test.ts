import { expect, test } from 'vitest'
import type { CreatedResource } from './calls.ts'
import { waitUntilProvisioned } from './wait-until-provisioned.ts'

function readsOf(...answers: readonly (CreatedResource | null)[]) {
  let reads = 0
  const read = async () => answers[Math.min(reads++, answers.length - 1)]!
  return { read, count: () => reads }
}
const signal = () => AbortSignal.timeout(10_000)
const DONE = { id: 'it', provisioningState: 'Succeeded' }
const UPDATING = { id: 'it', provisioningState: 'Updating' }

test('returns at once if the first response is complete', async () => {
  const { read, count } = readsOf(null)
  expect(await waitUntilProvisioned('the network', DONE, read, signal())).toEqual(DONE)
  expect(count()).toBe(0)
})

test.each([
  ['without an answer it is looked for', null, [DONE], 1],
  ['what is at work is looked at again', UPDATING, [DONE], 1],
  ['also when it does not show yet', null, [null, DONE], 2],
])('%s', async (_, first, answers, count) => {
  const seen = readsOf(...answers)
  expect(await waitUntilProvisioned('the network', first, seen.read, signal())).toEqual(DONE)
  expect(seen.count()).toBe(count)
})

test.each(['Failed', 'Canceled'])(
  'rejects for a resource in the state %s, which the next attempt recreates',
  async (state) => {
    const failed = waitUntilProvisioned('the network', { provisioningState: state }, readsOf(DONE).read, signal())
    await expect(failed).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('create it again'),
    })
  },
)

test('rejects when the caller aborts', async () => {
  const off = waitUntilProvisioned('the network', UPDATING, readsOf(UPDATING).read, AbortSignal.timeout(20))
  await expect(off).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringContaining('aborted') })
})
