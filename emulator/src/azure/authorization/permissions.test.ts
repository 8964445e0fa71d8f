import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFarEnd, inGroup, inSubscription, type FarEnd } from '#test/far-end.ts'
import { exchangeOf } from '#test/exchange.ts'
import { officialJudge, openApi } from '#test/official-contract.ts'

let farEnd: FarEnd
beforeEach(async () => {
  farEnd = await startFarEnd()
})
afterEach(() => farEnd.stop())

const permissions = (at: string) => farEnd.arm('GET', `${at}/providers/Microsoft.Authorization/permissions`)
const network = `${inGroup}/providers/Microsoft.Network/virtualNetworks/net`
const compute = `${inSubscription}/providers/Microsoft.Compute`
const group = { location: 'eastus' }

test('the app registration owns all until it is given other roles, and then may do what they give', async () => {
  expect((await farEnd.arm('PUT', inGroup, group)).status).toBe(201)
  expect((await permissions(inSubscription)).body.value).toMatchObject([{ actions: ['*'], notActions: [] }])
  const reader = [{ actions: ['*/read'], notActions: ['Microsoft.Network/*/read'] }]
  await farEnd.control('POST', '/_permissions', { permissions: reader })
  expect((await permissions(inGroup)).body.value).toMatchObject(reader)
  const refused = await farEnd.arm('PUT', inGroup, group)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AuthorizationFailed'])
  expect(refused.body.error.message).toContain("'Microsoft.Resources/subscriptions/resourceGroups/write'")
  expect((await farEnd.arm('GET', `${inSubscription}/resourceGroups`)).status).toBe(200)
  expect((await farEnd.arm('GET', network)).status).toBe(403)
  await farEnd.control('POST', '/_permissions', { group: 'labs', permissions: [{ actions: ['Microsoft.Network/*'] }] })
  expect((await farEnd.arm('GET', network)).status).toBe(404)
  expect((await permissions(inGroup)).body.value).toHaveLength(2)
  expect((await permissions(inSubscription)).body.value).toHaveLength(1)
})

test('a group that is not there has no permissions', async () => {
  const { status, body } = await permissions(inGroup)
  expect([status, body.error.code]).toEqual([404, 'ResourceGroupNotFound'])
})

test('nothing is had of a provider that is not registered, but the word that it is not', async () => {
  await farEnd.control('POST', '/_providers', { namespace: 'Microsoft.Compute', registered: false })
  expect((await farEnd.arm('GET', compute)).body).toMatchObject({ registrationState: 'NotRegistered' })
  const { status, body } = await farEnd.arm('GET', `${compute}/virtualMachines`)
  expect([status, body.error.code]).toEqual([409, 'MissingSubscriptionRegistration'])
  expect((await farEnd.arm('PUT', inGroup, group)).status).toBe(201)
  expect((await farEnd.arm('GET', `${inSubscription}/providers/Microsoft.Nowhere`)).status).toBe(404)
})

describe.skipIf(openApi === undefined)("Azure's own validator", () => {
  // It looks for the provider's own description among those of the provider that is described, and finds none.
  test('finds nothing wrong with permissions', async () => {
    const judge = await officialJudge(openApi ?? '')
    await farEnd.arm('PUT', inGroup, group)
    const reply = await permissions(inGroup)
    const path = `${inGroup}/providers/Microsoft.Authorization/permissions`
    expect((await judge(exchangeOf('GET', path, undefined, reply))).violations).toEqual([])
  })
})
