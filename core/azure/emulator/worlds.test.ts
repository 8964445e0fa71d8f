import { expect, test } from 'vitest'
import { startTestEmulator, inSubscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { network, openLab } from '@trainyard/platform/emulator/test/lab.ts'

test('the corporate world applies its policies until the open world is chosen', async () => {
  const first = await startTestEmulator({ world: 'corporate' })
  try {
    const group = `${inSubscription}/resourceGroups/labs`
    expect((await first.arm('PUT', group, { location: 'southindia' })).status).toBe(403)
    const governance = (await first.control('GET', '/_governance')).body
    expect(governance).toMatchObject({ noPublicAddresses: true, requiredTags: ['CostCentre'] })
    await first.control('POST', '/_world', { world: 'open' })
    await openLab(first)
    expect((await first.arm('GET', network('net'))).status).toBe(200)
  } finally {
    await first.stop()
  }
})
