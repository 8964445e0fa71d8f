import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  startTestEmulator,
  inGroup,
  inSubscription,
  type TestEmulator,
} from '@trainyard/platform/emulator/test/test-emulator.ts'
import { exchangeOf } from '@trainyard/platform/emulator/test/exchange.ts'
import { officialValidator, openApi } from '@trainyard/platform/emulator/test/official-validator.ts'

let emulator: TestEmulator
beforeEach(async () => {
  emulator = await startTestEmulator()
})
afterEach(() => emulator.stop())

const permissions = (scope: string) => emulator.arm('GET', `${scope}/providers/Microsoft.Authorization/permissions`)
const network = `${inGroup}/providers/Microsoft.Network/virtualNetworks/net`
const compute = `${inSubscription}/providers/Microsoft.Compute`
const group = { location: 'eastus' }

test('allows the app registration everything until it is given other roles', async () => {
  expect((await emulator.arm('PUT', inGroup, group)).status).toBe(201)
  expect((await permissions(inSubscription)).body.value).toMatchObject([{ actions: ['*'], notActions: [] }])
  const reader = [{ actions: ['*/read'], notActions: ['Microsoft.Network/*/read'] }]
  await emulator.control('POST', '/_permissions', { permissions: reader })
  expect((await permissions(inGroup)).body.value).toMatchObject(reader)
  const refused = await emulator.arm('PUT', inGroup, group)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AuthorizationFailed'])
  expect(refused.body.error.message).toContain("'Microsoft.Resources/subscriptions/resourceGroups/write'")
  expect((await emulator.arm('GET', `${inSubscription}/resourceGroups`)).status).toBe(200)
  expect((await emulator.arm('GET', network)).status).toBe(403)
  await emulator.control('POST', '/_permissions', {
    group: 'labs',
    permissions: [{ actions: ['Microsoft.Network/*'] }],
  })
  expect((await emulator.arm('GET', network)).status).toBe(404)
  expect((await permissions(inGroup)).body.value).toHaveLength(2)
  expect((await permissions(inSubscription)).body.value).toHaveLength(1)
})

test('lists permissions at a network, and refuses network interfaces in a subnet without permission to join it', async () => {
  const inHub = `${inSubscription}/resourceGroups/hub`
  const hubNetwork = `${inHub}/providers/Microsoft.Network/virtualNetworks/corp`
  const subnet = `${hubNetwork}/subnets/labs`
  for (const each of [inGroup, inHub]) await emulator.arm('PUT', each, group)
  await emulator.arm('PUT', hubNetwork, {
    ...group,
    properties: {
      addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
      subnets: [{ name: 'labs', properties: { addressPrefix: '10.0.0.0/24' } }],
    },
  })
  await emulator.advance(60)
  const join = 'Microsoft.Network/virtualNetworks/subnets/join/action'
  await emulator.control('POST', '/_permissions', { permissions: [{ actions: ['*'], notActions: [join] }] })
  expect((await permissions(hubNetwork)).body.value).toMatchObject([{ notActions: [join] }])
  expect((await permissions(subnet)).body.value).toHaveLength(1)
  expect(await permissions(`${hubNetwork}/subnets/none`)).toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceNotFound' } },
  })

  const createInterface = () =>
    emulator.arm('PUT', `${inGroup}/providers/Microsoft.Network/networkInterfaces/nic`, {
      ...group,
      properties: { ipConfigurations: [{ name: 'main', properties: { subnet: { id: subnet } } }] },
    })
  const refused = await createInterface()
  expect([refused.status, refused.body.error.code]).toEqual([403, 'LinkedAuthorizationFailed'])
  expect(refused.body.error.message).toContain(`'${join}' on the linked scope(s) '${subnet}'`)
  await emulator.control('POST', '/_permissions', { group: 'hub', permissions: [{ actions: [join] }] })
  expect((await createInterface()).status).toBe(201)
})

test('answers 404 for the permissions of a missing group', async () => {
  const { status, body } = await permissions(inGroup)
  expect([status, body.error.code]).toEqual([404, 'ResourceGroupNotFound'])
})

test('refuses calls to an unregistered provider except reading its registration', async () => {
  await emulator.control('POST', '/_providers', { namespace: 'Microsoft.Compute', registered: false })
  expect((await emulator.arm('GET', compute)).body).toMatchObject({ registrationState: 'NotRegistered' })
  const { status, body } = await emulator.arm('GET', `${compute}/virtualMachines`)
  expect([status, body.error.code]).toEqual([409, 'MissingSubscriptionRegistration'])
  expect((await emulator.arm('PUT', inGroup, group)).status).toBe(201)
  expect((await emulator.arm('GET', `${inSubscription}/providers/Microsoft.Nowhere`)).status).toBe(404)
})

describe.skipIf(openApi === undefined)("Azure's own validator", () => {
  // Reading a provider is excluded: the validator looks for its description among that provider's own files and finds
  // none.
  test('accepts permission replies', async () => {
    const validate = await officialValidator(openApi ?? '')
    await emulator.arm('PUT', inGroup, group)
    const reply = await permissions(inGroup)
    const path = `${inGroup}/providers/Microsoft.Authorization/permissions`
    expect((await validate(exchangeOf('GET', path, undefined, reply))).violations).toEqual([])
  })
})
