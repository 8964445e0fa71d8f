import { Client, MiddlewareFactory, PageIterator, type Context } from '@microsoft/microsoft-graph-client'
import { expect, test } from 'vitest'
import { printVersions } from './package-version.ts'
import { user } from '../graph-user.ts'
import { sharedTestEmulator } from '../shared-test-emulator.ts'

/** Returns Microsoft's own client with all its middleware (token, retries, redirects), connected to the emulator. */
function clientOf(url: string): Client {
  const chain = MiddlewareFactory.getDefaultMiddlewareChain({ getAccessToken: async () => 'of-a-test' })
  const wire = {
    async execute(context: Context) {
      const graphUrl = new URL(typeof context.request === 'string' ? context.request : context.request.url)
      context.response = await fetch(url + graphUrl.pathname + graphUrl.search, context.options)
    },
  }
  return Client.initWithMiddleware({ middleware: [...chain.slice(0, -1), wire] })
}

const emulator = await sharedTestEmulator()
const graph = clientOf(emulator.url)

test("creates, reads, finds, blocks, deletes, restores and purges a user with Microsoft's client", async () => {
  printVersions('@microsoft/microsoft-graph-client')
  const created = await graph.api('/users').post(user('asha'))
  expect(created).toMatchObject({ userPrincipalName: 'asha@labs.test', displayName: 'asha' })
  const userPath = `/users/${created.id}`
  expect(await graph.api(userPath).select(['id', 'accountEnabled']).get()).toMatchObject({
    id: created.id,
    accountEnabled: true,
  })
  const found = await graph.api('/users').filter("userPrincipalName eq 'asha@labs.test'").get()
  expect(found.value.map(({ id }: { id: string }) => id)).toEqual([created.id])

  await graph.api(userPath).patch({ accountEnabled: false })
  expect((await graph.api(`${userPath}/revokeSignInSessions`).post({})).value).toBe(true)
  expect((await graph.api(userPath).select('accountEnabled').get()).accountEnabled).toBe(false)
  await graph.api(userPath).delete()
  await expect(graph.api(userPath).get()).rejects.toMatchObject({ statusCode: 404, code: 'Request_ResourceNotFound' })
  await graph.api(`/directory/deletedItems/${created.id}/restore`).post({})
  expect((await graph.api(userPath).get()).userPrincipalName).toBe('asha@labs.test')
  await graph.api(userPath).delete()
  await graph.api(`/directory/deletedItems/${created.id}`).delete()
  await expect(graph.api(`/directory/deletedItems/${created.id}`).get()).rejects.toMatchObject({ statusCode: 404 })
})

test("visits each user once with the client's page iterator", async () => {
  for (let number = 1; number <= 7; number += 1) await graph.api('/users').post(user(`page${number}`))
  const first = await graph.api('/users').filter("startswith(userPrincipalName,'page')").top(3).get()
  const names: string[] = []
  const iterator = new PageIterator(graph, first, ({ displayName }: { displayName: string }) => {
    names.push(displayName)
    return true
  })
  await iterator.iterate()
  expect(names.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `page${number}`))
})

test("recovers from throttling by the client's retries", async () => {
  await emulator.control('POST', '/_faults', {
    kind: 'throttle',
    operation: 'users.user.CreateUser',
    retryAfter: 1,
    times: 1,
  })
  expect((await graph.api('/users').post(user('patient'))).displayName).toBe('patient')
})

test("refuses with Graph's messages", async () => {
  await graph.api('/users').post(user('taken'))
  const expectRefused = (body: object, message: string) =>
    expect(graph.api('/users').post(body)).rejects.toMatchObject({
      statusCode: 400,
      code: 'Request_BadRequest',
      message,
    })
  await expectRefused(
    user('other', { userPrincipalName: 'TAKEN@labs.test' }),
    'Another object with the same value for property userPrincipalName already exists.',
  )
  const weak =
    'The specified password does not comply with password complexity requirements. Please provide a different password.'
  for (const password of ['short-7', 'onlysmallletters', 'UPPER-AND-DASHES', 'Aa1-'.repeat(65)]) {
    await expectRefused(user('weak', { passwordProfile: { password } }), weak)
  }
})
