import { beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_TENANT_ID } from './subscriptions/subscriptions.ts'
import { portalApp } from './operation.ts'
import { user } from '@trainyard/platform/emulator/test/graph-user.ts'
import type { Reply } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator({ clock: 'stepped' })
beforeEach(async () => {
  await emulator.control('DELETE', '/_faults')
  await emulator.control('POST', '/_directory', { lagSeconds: 0 })
})

async function graph(method: string, path: string, body?: unknown, token = 'app'): Promise<Reply> {
  const response = await fetch(`${emulator.url}/v1.0${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const byName = (name: string) => `/users?$filter=userPrincipalName%20eq%20'${name}@labs.test'&$select=id,accountEnabled`

test('creates, finds, blocks, deletes, restores and purges a user', async () => {
  const created = await graph('POST', '/users', user('asha'))
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ userPrincipalName: 'asha@labs.test', displayName: 'asha' })
  const { id } = created.body
  const location =
    /^https:\/\/graph\.microsoft\.com\/v2\/[\w-]{36}\/directoryObjects\/(.+)\/Microsoft\.DirectoryServices\.User$/
  expect(location.exec(created.headers.get('location') ?? '')?.[1]).toBe(id)
  expect((await graph('GET', byName('asha'))).body.value).toEqual([{ id, accountEnabled: true }])
  expect((await graph('PATCH', `/users/${id}`, { accountEnabled: false })).status).toBe(204)
  expect((await graph('POST', `/users/${id}/revokeSignInSessions`)).body.value).toBe(true)
  expect((await graph('GET', `/users/asha@labs.test?$select=accountEnabled`)).body.accountEnabled).toBe(false)
  expect((await graph('DELETE', `/users/${id}`)).status).toBe(204)
  expect((await graph('GET', `/users/${id}`)).status).toBe(404)
  expect((await graph('GET', `/directory/deletedItems/${id}`)).body.userPrincipalName).toContain('asha@labs.test')
  expect((await graph('POST', `/directory/deletedItems/${id}/restore`)).body.userPrincipalName).toBe('asha@labs.test')
  expect((await graph('DELETE', `/users/${id}`)).status).toBe(204)
  expect((await graph('DELETE', `/directory/deletedItems/${id}`)).status).toBe(204)
  expect((await graph('GET', `/directory/deletedItems/${id}`)).status).toBe(404)
  const { body } = await emulator.control('GET', '/_truth?part=users')
  expect(body.users).toMatchObject([{ id, userPrincipalName: 'asha@labs.test', exists: false, canSignIn: false }])
})

describe("refusals in Graph's format", () => {
  test.each([
    ['no password', user('one', { passwordProfile: undefined }), 'passwordProfile'],
    ['a weak password', user('one', { passwordProfile: { password: 'simple' } }), 'password complexity'],
    ['an unverified domain', user('one', { userPrincipalName: 'one@example.com' }), 'verified domain'],
    ['an unknown property', user('one', { colour: 'red' }), "Property 'colour' does not exist"],
  ])('%s', async (_, body, messagePart) => {
    const reply = await graph('POST', '/users', body)
    expect([reply.status, reply.body.error.code]).toEqual([400, 'Request_BadRequest'])
    expect(reply.body.error.message).toContain(messagePart)
    expect(reply.body.error.innerError['request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('refuses an existing name in any case', async () => {
    await graph('POST', '/users', user('taken'))
    const reply = await graph('POST', '/users', user('other', { userPrincipalName: 'TAKEN@labs.test' }))
    expect(reply.body.error).toMatchObject({ details: [{ code: 'ObjectConflict', target: 'userPrincipalName' }] })
  })

  test.each(['wrong', 'user:asha@labs.test'])('refuses a caller with the token %s', async (token) => {
    expect((await graph('GET', '/users', undefined, token)).status).toBe(401)
  })
})

test('lists each user once, in pages', async () => {
  await Promise.all(Array.from({ length: 7 }, (_, number) => graph('POST', '/users', user(`page${number}`))))
  const names: string[] = []
  let path: string | undefined = "/users?$filter=startswith(userPrincipalName,'page')&$top=3"
  for (let pages = 1; path !== undefined; pages++) {
    expect(pages).toBeLessThanOrEqual(3)
    const { body }: Reply = await graph('GET', path)
    names.push(...body.value.map((each: { userPrincipalName: string }) => each.userPrincipalName))
    path = body['@odata.nextLink']?.replace('https://graph.microsoft.com/v1.0', '')
  }
  expect(new Set(names).size).toBe(7)
  expect(names).toHaveLength(7)
})

describe('delays', () => {
  test('shows a new user to reads after replication and refuses its name at once', async () => {
    await emulator.control('POST', '/_directory', { lagSeconds: 30 })
    const { body } = await graph('POST', '/users', user('late'))
    expect((await graph('GET', byName('late'))).body.value).toEqual([])
    expect((await graph('GET', `/users/${body.id}`)).status).toBe(404)
    expect((await graph('POST', '/users', user('late'))).body.error.details[0].code).toBe('ObjectConflict')
    await emulator.advance(30)
    expect((await graph('GET', byName('late'))).body.value).toHaveLength(1)
  })

  test('applies a late change only when it is due', async () => {
    await emulator.control('POST', '/_faults', { kind: 'doneLate', operation: 'users.user.CreateUser', seconds: 20 })
    await expect(graph('POST', '/users', user('slow'))).rejects.toThrow('fetch failed')
    expect((await graph('GET', byName('slow'))).body.value).toEqual([])
    await emulator.advance(20)
    expect((await graph('GET', byName('slow'))).body.value).toHaveLength(1)
  })
})

test.each([
  ['throttle', 429, 'TooManyRequests', '9'],
  ['serverError', 500, 'InternalServerError', null],
  ['refuseQuota', 403, 'Directory_QuotaExceeded', null],
  ['unauthorised', 401, 'InvalidAuthenticationToken', null],
])('has no effect under %s', async (kind, status, code, pause) => {
  await emulator.control('POST', '/_faults', { kind, operation: 'users.user.CreateUser', retryAfter: 9, times: 1 })
  const reply = await graph('POST', '/users', user(kind))
  expect([reply.status, reply.body.error.code, reply.headers.get('retry-after')]).toEqual([status, code, pause])
  expect((await graph('GET', byName(kind))).body.value).toEqual([])
})

describe('sign-in service', () => {
  const sign = (form: Record<string, string>) =>
    fetch(`${emulator.url}/${DEFAULT_TENANT_ID}/oauth2/v2.0/token`, { method: 'POST', body: new URLSearchParams(form) })
  const app = { grant_type: 'client_credentials', client_id: portalApp, client_secret: 'emulated' }

  test.each(['https://graph.microsoft.com/.default', 'https://management.azure.com/.default'])(
    'issues a token for %s',
    async (scope) => {
      const token = (await (await sign({ ...app, scope })).json()) as { access_token: string; token_type: string }
      expect(token.token_type).toBe('Bearer')
      expect((await graph('GET', '/users', undefined, token.access_token)).status).toBe(200)
    },
  )

  test('issues no token for a wrong secret', async () => {
    const reply = await sign({ ...app, client_secret: 'wrong', scope: 'https://graph.microsoft.com/.default' })
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({ error: 'invalid_client', error_codes: [7000215] })
  })
})
