import { afterEach, beforeEach, expect, test } from 'vitest'
import { durationOf } from '../durations.ts'
import {
  inGroup,
  inSubscription,
  startTestEmulator,
  type TestEmulator,
} from '@trainyard/platform/emulator/test/test-emulator.ts'

let emulator: TestEmulator
let id: string
beforeEach(async () => {
  emulator = await startTestEmulator({ latency: 1, clock: 'stepped' })
  await emulator.arm('PUT', inGroup, { location: 'southindia' })
  const response = await fetch(`${emulator.url}/v1.0/users`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({
      accountEnabled: true,
      displayName: 'asha',
      mailNickname: 'asha',
      userPrincipalName: NAME,
      passwordProfile: { password: 'Correct-Horse-7' },
    }),
  })
  id = ((await response.json()) as { id: string }).id
})
afterEach(() => emulator.stop())

const NAME = 'asha@labs.test'
const assignment = '0198c0de-0000-4000-8000-000000000001'
const contributor = `${inSubscription}/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c`
const assign = () =>
  emulator.arm('PUT', `${inGroup}/providers/Microsoft.Authorization/roleAssignments/${assignment}`, {
    properties: { roleDefinitionId: contributor, principalId: id, principalType: 'User' },
  })
const asLabUser = async () => {
  const headers = { authorization: `Bearer user:${NAME}` }
  return (await fetch(`${emulator.url}${inGroup}?api-version=2024-11-01`, { headers })).status
}

test('knows a new user after the recorded delay and applies a new role later', async () => {
  const tooEarly = await assign()
  expect([tooEarly.status, tooEarly.body.error.code]).toEqual([400, 'PrincipalNotFound'])
  const unknown = durationOf('principal', NAME)
  expect(unknown).toBeGreaterThan(10)
  await emulator.advance(Math.floor(unknown))
  expect((await assign()).status).toBe(400)
  await emulator.advance(1)
  expect((await assign()).status).toBe(201)
  expect(await asLabUser()).toBe(403)
  await emulator.advance(Math.ceil(durationOf('role', assignment)))
  expect(await asLabUser()).toBe(200)
})

test('uses a configured lag instead of the recorded delay', async () => {
  await emulator.control('POST', '/_directory', { lagSeconds: 0 })
  expect((await assign()).status).toBe(201)
})
