import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  inGroup,
  inSubscription,
  startTestEmulator,
  type TestEmulator,
} from '@trainyard/platform/emulator/test/test-emulator.ts'

let emulator: TestEmulator
beforeEach(async () => {
  emulator = await startTestEmulator({ latency: 1, clock: 'stepped' })
  await emulator.arm('PUT', inGroup, { location: 'southindia' })
  await emulator.control('POST', '/_providers', { namespace: 'Microsoft.Network', registered: false })
})
afterEach(() => emulator.stop())

const provider = `${inSubscription}/providers/Microsoft.Network`
const networks = () => emulator.arm('GET', `${inGroup}/providers/Microsoft.Network/virtualNetworks`)

test('refuses calls to a provider until its registration has finished', async () => {
  expect([(await networks()).status, (await networks()).body.error.code]).toEqual([
    409,
    'MissingSubscriptionRegistration',
  ])
  const requested = await emulator.arm('POST', `${provider}/register`)
  expect([requested.status, requested.body.registrationState]).toEqual([200, 'Registering'])
  await emulator.advance(30)
  // A repeated call does not restart the registration.
  expect((await emulator.arm('POST', `${provider}/register`)).body.registrationState).toBe('Registering')
  expect((await networks()).status).toBe(409)
  await emulator.advance(30)
  expect((await emulator.arm('GET', provider)).body.registrationState).toBe('Registered')
  expect((await networks()).status).toBe(200)
})

test('refuses to register an unknown provider', async () => {
  const { status, body } = await emulator.arm('POST', `${inSubscription}/providers/Microsoft.Nowhere/register`)
  expect([status, body.error.code]).toEqual([404, 'InvalidResourceNamespace'])
})
