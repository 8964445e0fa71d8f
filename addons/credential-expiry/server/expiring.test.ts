import { beforeEach, expect, test } from 'vitest'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { recordExpiring } from './expiring.ts'

const portal = await sharedPortal()
await createSubjects(portal)
const messages: string[] = []
const context = { signal: AbortSignal.timeout(60_000), logMessage: (sentence: string) => void messages.push(sentence) }
beforeEach(() => void messages.splice(0))

const inDays = (days: number) => new Date(Date.now() + (days + 0.5) * 86_400_000)

async function expiring(): Promise<unknown> {
  const reply = await portal.request('GET', '/admin/expiring', { uid: await portal.sessionOf(PEOPLE.superadmin) })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { credentials: unknown }).credentials
}

test('lists credentials that expire within 30 days, the next expiry first, and drops replaced ones', async () => {
  const find = async () => [
    { what: 'The client secret portal', endsAt: inDays(6) },
    { what: 'The client secret portal', endsAt: inDays(20) },
    { what: 'The client secret old', endsAt: inDays(-2) },
    { what: 'The client secret new', endsAt: inDays(300) },
  ]
  await recordExpiring(portal.owner, find, context)
  expect(await expiring()).toEqual([
    { name: 'The client secret old', days: -2, endsOn: inDays(-2).toISOString().slice(0, 10) },
    { name: 'The client secret portal', days: 6, endsOn: inDays(6).toISOString().slice(0, 10) },
  ])
  await recordExpiring(portal.owner, async () => [], context)
  expect(await expiring()).toEqual([])
})

test('retains the last known credentials while Entra refuses to show them, and reports other errors', async () => {
  await recordExpiring(portal.owner, async () => [{ what: 'The certificate CN=portal', endsAt: inDays(0) }], context)
  const refuse = (kind: 'unauthorised' | 'unreachable') => async () => {
    throw new CloudError(kind, 'Entra does not allow the portal to read its secrets.')
  }
  expect(await recordExpiring(portal.owner, refuse('unauthorised'), context)).toEqual({ inSeconds: 3_600 })
  expect(messages).toEqual([
    'The portal cannot check when its credentials expire: Entra does not allow the portal to read its secrets.',
  ])
  await expect(recordExpiring(portal.owner, refuse('unreachable'), context)).rejects.toThrow('Entra')
  expect(await expiring()).toMatchObject([{ name: 'The certificate CN=portal', days: 0 }])
})
