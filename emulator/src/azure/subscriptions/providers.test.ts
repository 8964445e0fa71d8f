import { afterEach, beforeEach, expect, test } from 'vitest'
import { inGroup, inSubscription, startFarEnd, type FarEnd } from '#test/far-end.ts'

let farEnd: FarEnd
beforeEach(async () => {
  farEnd = await startFarEnd({ latency: 1, clock: 'stepped' })
  await farEnd.arm('PUT', inGroup, { location: 'southindia' })
  await farEnd.control('POST', '/_providers', { namespace: 'Microsoft.Network', registered: false })
})
afterEach(() => farEnd.stop())

const provider = `${inSubscription}/providers/Microsoft.Network`
const networks = () => farEnd.arm('GET', `${inGroup}/providers/Microsoft.Network/virtualNetworks`)

test('a provider’s calls are refused until its registration is through, which takes a while', async () => {
  expect([(await networks()).status, (await networks()).body.error.code]).toEqual([
    409,
    'MissingSubscriptionRegistration',
  ])
  const asked = await farEnd.arm('POST', `${provider}/register`)
  expect([asked.status, asked.body.registrationState]).toEqual([200, 'Registering'])
  await farEnd.advance(30)
  // Asked again, it does not begin anew.
  expect((await farEnd.arm('POST', `${provider}/register`)).body.registrationState).toBe('Registering')
  expect((await networks()).status).toBe(409)
  await farEnd.advance(30)
  expect((await farEnd.arm('GET', provider)).body.registrationState).toBe('Registered')
  expect((await networks()).status).toBe(200)
})

test('a provider that is none can not be registered', async () => {
  const { status, body } = await farEnd.arm('POST', `${inSubscription}/providers/Microsoft.Nowhere/register`)
  expect([status, body.error.code]).toEqual([404, 'InvalidResourceNamespace'])
})
