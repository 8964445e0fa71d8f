import { describe, expect, test } from 'vitest'
import { inGroup, inSubscription } from '#test/far-end.ts'
import { machine, openLab, putMachine } from '#test/lab.ts'
import { sharedFarEnd } from '#test/shared.ts'

const farEnd = await sharedFarEnd()
await openLab(farEnd)
await putMachine(farEnd, 'one')
await farEnd.arm('PUT', `${machine('one')}/extensions/own`, {
  location: 'southindia',
  properties: { publisher: 'Acme', type: 'Tool', typeHandlerVersion: '1.0' },
})

const all = `${inSubscription}/providers/Microsoft.Compute/virtualMachines`
const ofGroup = `${inGroup}/providers/Microsoft.Compute/virtualMachines`
const listedId = machine('one').replace('/labs/', '/LABS/')

test('a list of status has no tags, an empty hardware profile and the power', async () => {
  const { body } = await farEnd.arm('GET', `${all}?statusOnly=true`)
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

test.each([all, ofGroup])('a plain list has the tags, the extensions and no power: %s', async (path) => {
  const { body } = await farEnd.arm('GET', path)
  expect(body.value).toHaveLength(1)
  expect(body.value[0]).toMatchObject({
    id: listedId,
    tags: { 'trainyard-machine': 'one' },
    resources: [{ id: `${listedId}/extensions/own` }],
    properties: { hardwareProfile: { vmSize: 'Standard_D2s_v3' } },
  })
  expect(body.value[0].properties.instanceView).toBeUndefined()
})

test('the list of a group knows no list of status', async () => {
  const { body } = await farEnd.arm('GET', `${ofGroup}?statusOnly=true`)
  expect(body.value[0].properties.instanceView).toBeUndefined()
})

describe.each([all, ofGroup])('with an expand: %s', (path) => {
  test('it is refused without the filter by a scale set', async () => {
    const { status, body } = await farEnd.arm('GET', `${path}?$expand=instanceView`)
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

  test('a filter by a scale set that is none of ours finds nothing', async () => {
    const scaleSet = `${inGroup}/providers/Microsoft.Compute/virtualMachineScaleSets/none`
    const filter = encodeURIComponent(`'virtualMachineScaleSet/id' eq '${scaleSet}'`)
    const { status, body } = await farEnd.arm('GET', `${path}?$expand=instanceView&$filter=${filter}`)
    expect([status, body]).toEqual([200, { value: [] }])
  })

  test('any other filter is refused', async () => {
    const { status } = await farEnd.arm('GET', `${path}?$filter=${encodeURIComponent("name eq 'one'")}`)
    expect(status).toBe(400)
  })
})

test('a page may say nothing of power, where that is asked for', async () => {
  await farEnd.control('POST', '/_faults', { kind: 'hidePower', operation: 'VirtualMachines_ListAll', times: 1 })
  const codes = async () => {
    const { body } = await farEnd.arm('GET', `${all}?statusOnly=true`)
    return body.value[0].properties.instanceView.statuses.map(({ code }: { code: string }) => code) as string[]
  }
  expect(await codes()).toEqual(['ProvisioningState/succeeded'])
  expect(await codes()).toEqual(['ProvisioningState/succeeded', 'PowerState/running'])
})
