import { beforeEach, describe, expect, test } from 'vitest'
import { inGroup, inSubscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import {
  address,
  addressBody,
  machine,
  machineBody,
  network,
  networkInterface,
  networkInterfaceBody,
  openLab,
  putMachine,
} from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()
await openLab(emulator)
await putMachine(emulator, 'existing')
await emulator.arm('PUT', address('free'), addressBody)
await emulator.arm('PUT', networkInterface('free'), networkInterfaceBody(undefined))

const setGovernance = (governance: object) => emulator.control('POST', '/_governance', governance)
beforeEach(async () => {
  await setGovernance({})
  await emulator.control('POST', '/_subscription', {})
  await emulator.control('POST', '/_quotas', { cores: null, publicAddresses: null })
})

const statusAndCode = ({ status, body }: { status: number; body?: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
]
const tags = { CostCentre: '4711' }

describe('a policy', () => {
  test('denies network interfaces with a public address, and accepts others', async () => {
    await setGovernance({ noPublicAddresses: true })
    const refused = await emulator.arm('PUT', networkInterface('public'), networkInterfaceBody('free'))
    expect(statusAndCode(refused)).toEqual([403, 'RequestDisallowedByPolicy'])
    expect(refused.body.error.additionalInfo).toMatchObject([
      {
        type: 'PolicyViolation',
        info: { policyDefinitionDisplayName: 'Network interfaces should not have public IPs' },
      },
    ])
    expect((await emulator.arm('PUT', networkInterface('private'), networkInterfaceBody(undefined))).status).toBe(201)
    expect((await emulator.arm('PUT', address('alone'), addressBody)).status).toBe(201)
  })

  test('requires tags of groups and resources, but not of subnets', async () => {
    await setGovernance({ requiredTags: ['CostCentre'], reason: 'Name the cost centre.' })
    const group = `${inSubscription}/resourceGroups/tagged`
    const untagged = await emulator.arm('PUT', group, { location: 'southindia', tags: { other: 'x' } })
    expect(statusAndCode(untagged)).toEqual([403, 'RequestDisallowedByPolicy'])
    expect(untagged.body.error.message).toContain("Reasons: 'Name the cost centre.'.")
    expect((await emulator.arm('PUT', group, { location: 'southindia', tags })).status).toBe(201)
    expect(statusAndCode(await emulator.arm('PUT', address('untagged'), addressBody))[0]).toBe(403)
    // Azure compares names of tags case-insensitively.
    expect((await emulator.arm('PUT', address('tagged'), { ...addressBody, tags: { costcentre: '1' } })).status).toBe(
      201,
    )
    const subnet = { properties: { addressPrefix: '10.0.128.0/24' } }
    expect((await emulator.arm('PUT', `${network('net')}/subnets/more`, subnet)).status).toBe(201)
  })

  test('allows only some locations', async () => {
    await setGovernance({ allowedLocations: ['westeurope'] })
    expect(statusAndCode(await emulator.arm('PUT', address('elsewhere'), addressBody))).toEqual([
      403,
      'RequestDisallowedByPolicy',
    ])
    const westEuropeAddress = { ...addressBody, location: 'West Europe' }
    expect((await emulator.arm('PUT', address('there'), westEuropeAddress)).status).toBe(201)
  })

  test('reports what it would deny, without creating the resource', async () => {
    await setGovernance({ noPublicAddresses: true, requiredTags: ['CostCentre'] })
    const check = (resourceContent: object) =>
      emulator.arm('POST', `${inGroup}/providers/Microsoft.PolicyInsights/checkPolicyRestrictions`, {
        resourceDetails: { resourceContent, apiVersion: '2024-05-01' },
      })
    const type = 'Microsoft.Network/networkInterfaces'
    const found = await check({ ...(networkInterfaceBody('free') as object), type })
    const evaluations = found.body.contentEvaluationResult.policyEvaluations
    expect(evaluations.map((each: { evaluationResult: string }) => each.evaluationResult)).toEqual([
      'NonCompliant',
      'NonCompliant',
    ])
    const complying = await check({ ...(networkInterfaceBody(undefined) as object), tags, type })
    expect(complying.body.contentEvaluationResult.policyEvaluations).toEqual([])
    const assignment = await emulator.arm('GET', evaluations[0].policyInfo.policyAssignmentId)
    expect(assignment.body.properties.displayName).toBe('Network interfaces should not have public IPs')
  })
})

describe('the subscription', () => {
  test('creates groups, but no resources, in a closed location', async () => {
    await setGovernance({ closedLocations: ['southindia'] })
    const group = `${inSubscription}/resourceGroups/closed`
    expect((await emulator.arm('PUT', group, { location: 'South India' })).status).toBe(201)
    expect(statusAndCode(await emulator.arm('PUT', address('closed'), addressBody))).toEqual([
      403,
      'RequestDisallowedByAzure',
    ])
  })

  test.each([
    ['CanNotDelete', 'labs', 202, 409],
    ['ReadOnly', null, 409, 409],
    ['ReadOnly', 'other', 202, 202],
  ] as const)(
    'with the lock %s on %s answers %i to a stop and %i to a deletion',
    async (level, group, stop, remove) => {
      const name = `locked-${level}-${group ?? 'all'}`.toLowerCase()
      await putMachine(emulator, name)
      await setGovernance({ locks: [{ level, group }] })
      expect((await emulator.arm('POST', `${machine(name)}/deallocate`)).status).toBe(stop)
      const deleted = await emulator.arm('DELETE', machine(name))
      expect(statusAndCode(deleted)).toEqual([remove, remove === 409 ? 'ScopeLocked' : undefined])
    },
  )

  test('refuses what a deny assignment forbids, naming it', async () => {
    await setGovernance({ denials: [{ name: 'Landing zone', actions: ['Microsoft.Compute/virtualMachines/*'] }] })
    const refused = await emulator.arm('POST', `${machine('existing')}/start`)
    expect(statusAndCode(refused)).toEqual([403, 'DenyAssignmentAuthorizationFailed'])
    expect(refused.body.error.message).toContain("deny assignment with name 'Landing zone' and Id")
    expect((await emulator.arm('GET', machine('existing'))).status).toBe(200)
  })

  test('is read-only while it is disabled, except for deletions', async () => {
    await emulator.control('POST', '/_subscription', { state: 'Disabled' })
    expect(statusAndCode(await emulator.arm('PUT', address('late'), addressBody))).toEqual([
      409,
      'ReadOnlyDisabledSubscription',
    ])
    expect((await emulator.arm('DELETE', address('absent'))).status).toBe(204)
  })

  test('limits public addresses and the cores of a family', async () => {
    const usageAtLimit = await usage('Microsoft.Network', 'StandardSkuPublicIpAddresses')
    await emulator.control('POST', '/_quotas', { publicAddresses: usageAtLimit.currentValue })
    expect(statusAndCode(await emulator.arm('PUT', address('one-more'), addressBody))).toEqual([
      400,
      'IPv4StandardSkuPublicIpCountLimitReached',
    ])
    const family = 'standardDSv3Family'
    await emulator.control('POST', '/_quotas', { families: { [family]: 1 } })
    expect((await usage('Microsoft.Compute', family)).limit).toBe(1)
    const refused = await emulator.arm('PUT', machine('over'), machineBody('free'))
    expect(statusAndCode(refused)).toEqual([409, 'OperationNotAllowed'])
    expect(refused.body.error.message).toContain(`exceeding approved ${family} Cores quota`)
    await emulator.control('POST', '/_quotas', { families: { [family]: null } })
  })
})

async function usage(service: string, name: string): Promise<{ currentValue: number; limit: number }> {
  const { body } = await emulator.arm('GET', `${inSubscription}/providers/${service}/locations/southindia/usages`)
  return body.value.find((each: { name: { value: string } }) => each.name.value === name)
}
