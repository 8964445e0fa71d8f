import { expect, test } from 'vitest'
import { inGroup } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { disk, machine, machineBody, openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const gallery = `${inGroup}/providers/Microsoft.Compute/galleries/shelf`
const emulator = await sharedTestEmulator()
await openLab(emulator)
await emulator.arm('PUT', gallery, { location: 'southindia' })

/** Copies a machine to a definition of the given generation and returns the status of the PUT. */
async function copyToGeneration(name: string, hyperVGeneration: string): Promise<number> {
  const definition = `${gallery}/images/${name}-${hyperVGeneration}`
  await emulator.arm('PUT', definition, {
    location: 'southindia',
    properties: {
      osType: 'Linux',
      osState: 'Specialized',
      hyperVGeneration,
      identifier: { publisher: 'acme', offer: name, sku: hyperVGeneration },
      ...(hyperVGeneration === 'V2' ? { features: [{ name: 'SecurityType', value: 'TrustedLaunch' }] } : {}),
    },
  })
  const reply = await emulator.arm('PUT', `${definition}/versions/1.0.0`, {
    location: 'southindia',
    properties: { storageProfile: { source: { virtualMachineId: machine(name) } } },
  })
  return reply.status
}

test.each([
  ['22_04-lts', 'first', 'V1', 'V2', undefined],
  ['22_04-lts-gen2', 'second', 'V2', 'V1', 'TrustedLaunch'],
])(
  'creates a machine from %s with the %s generation, and copies of the same generation',
  async (sku, name, generation, otherGeneration, security) => {
    const body = machineBody(name)
    body.properties.storageProfile.imageReference.sku = sku
    const created = await putMachine(emulator, name, body)
    expect([created.status, created.body.properties.securityProfile?.securityType]).toEqual([201, security])
    expect((await emulator.arm('GET', disk(`${name}-os`))).body.properties.hyperVGeneration).toBe(generation)
    expect((await emulator.arm('GET', `${machine(name)}/instanceView`)).body.hyperVGeneration).toBe(generation)
    await emulator.arm('POST', `${machine(name)}/deallocate`)
    expect(await copyToGeneration(name, otherGeneration)).toBe(400)
    expect(await copyToGeneration(name, generation)).toBe(201)
  },
)
