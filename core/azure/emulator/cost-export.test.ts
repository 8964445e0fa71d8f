import { expect, test } from 'vitest'
import { subscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()

test('exports a month like Azure, with late usage, late tags, IDs in any case, a credit and a tax', async () => {
  const tags = { 'trainyard-machine': '00000000-0000-4000-8000-000000000001' }
  await emulator.control('POST', '/_past', {
    subscription,
    machines: [
      {
        name: 'old-1',
        resourceGroup: 'labs',
        location: 'southindia',
        size: 'Standard_D2s_v3',
        os: 'Linux',
        tags,
        createdAt: '2026-01-05T00:00:00Z',
        deletedAt: '2026-01-06T12:00:00Z',
        billed: [{ from: '2026-01-05T22:00:00Z', to: '2026-01-06T01:00:00Z' }],
      },
    ],
  })
  const reply = await fetch(`${emulator.url}/_costs?month=2026-01`)
  const lines = (await reply.text()).replace('\uFEFF', '').trim().split('\r\n')
  expect(lines.map((line) => line.split(',')[0])).toEqual([
    'BilledCost',
    '16.4000000000',
    '5.3700000000',
    '8.2000000000',
    '2.6850000000',
    '-0.6531000000',
    '5.8779000000',
  ])
  expect(lines[1]).toContain('/VIRTUALMACHINES/OLD-1')
  expect(lines.filter((line) => line.includes('trainyard-machine'))).toHaveLength(2)
  expect((await fetch(`${emulator.url}/_costs?month=2026-13`)).status).toBe(400)
})
