import { expect, test } from 'vitest'
import { inSubscription, subscription } from '#test/far-end.ts'
import { sharedFarEnd } from '#test/shared.ts'

const farEnd = await sharedFarEnd()

const machine = {
  name: 'old-1',
  resourceGroup: 'labs',
  location: 'southindia',
  size: 'Standard_D2s_v3',
  os: 'Linux',
  createdAt: '2026-01-05T04:00:00Z',
  deletedAt: '2026-01-09T12:00:00Z',
  billed: [
    { from: '2026-01-05T04:30:00Z', to: '2026-01-05T06:00:00Z' },
    { from: '2026-01-06T04:30:00Z', to: '2026-01-06T04:45:10Z' },
  ],
}
const tell = (more: object = {}) =>
  farEnd.control('POST', '/_past', { subscription, machines: [{ ...machine, ...more }] })
const lives = async () => (await farEnd.control('GET', '/_truth?part=machines')).body.machines

test('a past stands in the record with what was billed, and nowhere in Azure; told again it is there once', async () => {
  expect((await tell({ billed: [] })).status).toBe(200)
  expect((await tell()).status).toBe(200)
  expect(await lives()).toMatchObject([
    { name: 'old-1', exists: false, power: null, billedSeconds: 5_400 + 910, deletedAt: '2026-01-09T12:00:00.000Z' },
  ])
  const { body } = await farEnd.arm('GET', `${inSubscription}/providers/Microsoft.Compute/virtualMachines`)
  expect(body.value).toEqual([])
})

test.each([
  ['not over', { deletedAt: '2999-01-01T00:00:00Z' }],
  ['billed backwards', { billed: machine.billed.toReversed() }],
  ['billed after it went', { deletedAt: '2026-01-06T04:40:00Z' }],
  ['of a size that there is not', { size: 'Standard_Huge' }],
])('one that is %s is refused, and the record stays', async (_, more) => {
  const before = await lives()
  expect((await tell(more)).status).toBe(400)
  expect(await lives()).toEqual(before)
})
