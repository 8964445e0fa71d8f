import { describe, expect, test } from 'vitest'
import { inGroup, inSubscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { machine, openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()
await openLab(emulator)
await putMachine(emulator, 'one')
await emulator.arm('PUT', `${machine('one')}/extensions/own`, {
  location: 'southindia',
  properties: { publisher: 'Acme', type: 'Tool', typeHandlerVersion: '1.0' },
})

const all = `${inSubscription}/providers/Microsoft.Compute/virtualMachines`
const ofGroup = `${inGroup}/providers/Microsoft.Compute/virtualMachines`
const listedId = machine('one').replace('/labs/', '/LABS/')

test('returns power, but no tags and an empty hardware profile, in a statusOnly list', async () => {
  const { body } = await emulator.arm('GET', `${all}?statusOnly=true`)
  expect(body.value).toEqual([
    {
      name: 'one',
      id: listedId,
      type: 'Microsoft.Compute/virtualMachines',
      location: 'southindia',
      properties: {
        hardwareProfile: {},
        provisioningState: 'Succeeded',
        vmId: expect.any(String),
        instanceView: {
          statuses: [
            expect.objectContaining({ code: 'ProvisioningState/succeeded' }),
            expect.objectContaining({ code: 'PowerState/running' }),
          ],
        },
      },
    },
  ])
})

test.each([all, ofGroup])('returns tags and extensions, but no power, in a plain list: %s', async (path) => {
  const { body } = await emulator.arm('GET', path)
  expect(body.value).toHaveLength(1)
  expect(body.value[0]).toMatchObject({
    id: listedId,
    tags: { 'trainyard-machine': 'one' },
    resources: [{ id: `${listedId}/extensions/own` }],
    properties: { hardwareProfile: { vmSize: 'Standard_D2s_v3' } },
  })
  expect(body.value[0].properties.instanceView).toBeUndefined()
})

test('ignores statusOnly in the list of a group', async () => {
  const { body } = await emulator.arm('GET', `${ofGroup}?statusOnly=true`)
  expect(body.value[0].properties.instanceView).toBeUndefined()
})

describe.each([all, ofGroup])('$expand and $filter: %s', (path) => {
  test('refuses $expand without a filter by scale set', async () => {
    const { status, body } = await emulator.arm('GET', `${path}?$expand=instanceView`)
    expect([status, body]).toEqual([
      400,
      {
        error: {
          code: 'BadRequest',
          message: 'Expand Instance View is only supported when Virtual Machine Scale Set resource filter is applied',
        },
      },
    ])
  })

  test('returns nothing for a filter by scale set', async () => {
    const scaleSet = `${inGroup}/providers/Microsoft.Compute/virtualMachineScaleSets/none`
    const filter = encodeURIComponent(`'virtualMachineScaleSet/id' eq '${scaleSet}'`)
    const { status, body } = await emulator.arm('GET', `${path}?$expand=instanceView&$filter=${filter}`)
    expect([status, body]).toEqual([200, { value: [] }])
  })

  test('refuses any other filter', async () => {
    const { status } = await emulator.arm('GET', `${path}?$filter=${encodeURIComponent("name eq 'one'")}`)
    expect(status).toBe(400)
  })
})

test('leaves out the power of a page under the fault hidePower', async () => {
  await emulator.control('POST', '/_faults', { kind: 'hidePower', operation: 'VirtualMachines_ListAll', times: 1 })
  const codes = async () => {
    const { body } = await emulator.arm('GET', `${all}?statusOnly=true`)
    return body.value[0].properties.instanceView.statuses.map(({ code }: { code: string }) => code) as string[]
  }
  expect(await codes()).toEqual(['ProvisioningState/succeeded'])
  expect(await codes()).toEqual(['ProvisioningState/succeeded', 'PowerState/running'])
})
