import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import {
  labServicesConversations,
  whyNoLabServices,
  type RecordedInteraction,
} from '@trainyard/platform/emulator/test/lab-services.ts'
import { describe, expect, test } from 'vitest'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { LabServices, LabServicesResource } from './lab-services-provider.ts'
import { azureLabServices } from './labs.ts'

const SUBSCRIPTION = '00000000-0000-4000-8000-00000000a001'
const credential = { getToken: async () => ({ token: 'recorded', expiresOnTimestamp: Date.now() + 3_600_000 }) }
const HOST = 'https://management.azure.com'
const signal = AbortSignal.timeout(30_000)

interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers requests by the given function and records their URLs and tokens. */
function readerOf(answer: (url: URL) => Reply, apiVersion = '2022-08-01', subscriptionId = SUBSCRIPTION) {
  const requests: { url: string; token: string | undefined }[] = []
  const http: HttpClient = {
    async sendRequest(request) {
      requests.push({ url: request.url, token: request.headers.get('authorization') })
      const { status, headers, body } = answer(new URL(request.url))
      const all = createHttpHeaders({ 'content-type': 'application/json', ...headers })
      return { request, status, headers: all, bodyAsText: body === undefined ? '' : JSON.stringify(body) }
    },
  }
  return { labs: azureLabServices({ subscriptionId, credential, http: () => http, apiVersion }), requests }
}

const lab = (name: string, overrides: object = {}) => ({
  id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.LabServices/labs/${name}`,
  name,
  properties: { title: name },
  ...overrides,
})

describe('the reader of Lab Services', () => {
  test('follows pages, also if a link names the port, and keeps unknown fields', async () => {
    const { labs, requests } = readerOf(({ searchParams, pathname }) =>
      searchParams.has('$skipToken')
        ? { status: 200, body: { value: [lab('two', { extra: { deep: [1] }, properties: { inner: 'kept' } })] } }
        : {
            status: 200,
            body: {
              nextLink: `${HOST}:443${pathname}?api-version=2022-08-01&$skipToken=200`,
              value: [lab('one')],
            },
          },
    )
    const found = await labs.listLabs(signal)
    expect(found.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(found[1]).toMatchObject({ extra: { deep: [1] }, properties: { inner: 'kept' } })
    expect(requests.map(({ url }) => new URL(url).searchParams.get('$skipToken'))).toEqual([null, '200'])
  })

  test('does not send the access token to another host', async () => {
    const { labs, requests } = readerOf(() => ({
      status: 200,
      body: { value: [lab('one')], nextLink: 'https://management.azure.com.evil.test/next' },
    }))
    await expect(labs.listLabs(signal)).rejects.toThrow('continues at another host (management.azure.com.evil.test)')
    expect(requests.map(({ url }) => new URL(url).host)).toEqual(['management.azure.com'])
  })

  test('finds the users with a role at the lab itself, and no other users', async () => {
    const { id } = lab('one')
    const group = id.split('/').slice(0, 5).join('/')
    const assignment = (definition: string, principalId: string, overrides: object = {}) => ({
      id: `${id}/providers/Microsoft.Authorization/roleAssignments/${principalId}-${definition}`,
      name: `${principalId}-${definition}`,
      properties: {
        scope: id.toUpperCase(),
        roleDefinitionId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${definition}`,
        principalId,
        principalType: 'User',
        ...overrides,
      },
    })
    const [owner, assistant] = ['8e3af657-a8ff-443c-a75c-2fe8c4bcb635', 'CE40B423-CEDE-4313-A93F-9B28290B72E1']
    const users: Readonly<Record<string, Reply>> = {
      owner: { status: 200, body: { mail: 'Owner@School.test', userPrincipalName: 'o@tenant.test' } },
      assistant: { status: 200, body: { mail: null, userPrincipalName: 'assistant@school.test' } },
      guest: { status: 200, body: { mail: '', userPrincipalName: 'guest_other.test#EXT#@tenant.test' } },
      hidden: { status: 403, body: { error: { code: 'Authorization_RequestDenied' } } },
    }
    const { labs, requests } = readerOf(({ host, pathname }) =>
      host === 'graph.microsoft.com'
        ? users[pathname.split('/').at(-1)!]!
        : {
            status: 200,
            body: {
              value: [
                assignment(assistant, 'assistant'),
                assignment(assistant, 'guest'),
                assignment(assistant, 'hidden'),
                assignment(owner, 'owner'),
                assignment(owner, 'staff', { principalType: 'Group' }),
                assignment(owner, 'root', { scope: `/subscriptions/${SUBSCRIPTION}` }),
                assignment(owner, 'department', { scope: group }),
                assignment('acdd72a7-3385-48ef-bd42-f606fba81ae7', 'reader'),
              ],
            },
          },
    )
    const found = await labs.listRoles(id, signal)
    expect(found.map(({ role, principalId, email }) => [role, principalId, email])).toEqual([
      ['Owner', 'owner', 'owner@school.test'],
      ['Owner', 'staff', null],
      ['Lab Assistant', 'assistant', 'assistant@school.test'],
      ['Lab Assistant', 'guest', null],
      ['Lab Assistant', 'hidden', null],
    ])
    expect(requests[0]!.url).toContain('$filter=atScope()')
    expect(requests).toHaveLength(5)
  })

  test('ends a list whose pages link to each other', async () => {
    const { labs, requests } = readerOf(({ pathname }) => ({
      status: 200,
      body: { value: [], nextLink: `${HOST}${pathname}?api-version=2022-08-01&$skipToken=1` },
    }))
    await expect(labs.listLabs(signal)).rejects.toThrow('does not end')
    expect(requests).toHaveLength(2)
  })

  test.each([
    [{ status: 200, body: { wrong: [] } }, 'unreachable', null],
    [{ status: 200, body: { value: [{ name: 'no ID' }] } }, 'unreachable', null],
    [
      {
        status: 429,
        headers: { 'retry-after': '17' },
        body: { error: { code: 'TooManyRequests', message: 'Later.' } },
      },
      'throttled',
      17,
    ],
    [{ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'No.' } } }, 'unauthorised', null],
  ] as const)('reports %j as %s', async (reply, kind, pause) => {
    const { labs } = readerOf(() => reply)
    const error = await labs.listLabs(signal).catch((problem: unknown) => problem)
    expect(error).toBeInstanceOf(CloudError)
    expect(error).toMatchObject({ kind, retryAfter: pause })
  })

  test('returns null for an image that the plan does not have', async () => {
    const plan = lab('plan').id.replace('/labs/', '/labPlans/')
    const problem = { type: 'https://tools.ietf.org/html/rfc7231#section-6.5.4', title: 'Not Found', status: 404 }
    const absent = readerOf(() => ({
      status: 404,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
      body: problem,
    }))
    expect(await absent.labs.getImage(plan, 'gone', signal)).toBeNull()
  })

  test('lists lab accounts with their own version', async () => {
    const { labs, requests } = readerOf(() => ({ status: 200, body: { value: [lab('old')] } }))
    expect((await labs.listAccounts(signal)).map(({ name }) => name)).toEqual(['old'])
    expect(requests.map(({ url, token }) => [new URL(url).searchParams.get('api-version'), token])).toEqual([
      ['2018-10-15', 'Bearer recorded'],
    ])
    const refused = readerOf(() => ({ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'No.' } } }))
    await expect(refused.labs.listAccounts(signal)).rejects.toMatchObject({ kind: 'unauthorised' })
  })
})

describe.skipIf(labServicesConversations === undefined)(
  `recorded conversations (skipped when ${whyNoLabServices})`,
  () => {
    /** Calls that read what the recorded request read, by the end of its path. */
    const READS: readonly [RegExp, (labs: LabServices, path: string) => Promise<LabServicesResource[]>][] = [
      [/\/labPlans$/i, (labs) => labs.listPlans(signal)],
      [/\/labaccounts$/i, (labs) => labs.listAccounts(signal)],
      [/\/providers\/Microsoft\.LabServices\/labs$/i, (labs) => labs.listLabs(signal)],
      [/\/users$/i, (labs, path) => labs.listUsers(parentOf(path), signal)],
      [/\/schedules$/i, (labs, path) => labs.listSchedules(parentOf(path), signal)],
      [/\/virtualMachines$/i, (labs, path) => labs.listMachines(parentOf(path), signal)],
      [
        /\/labPlans\/[^/]+\/images\/[^/]+$/i,
        async (labs, path) => {
          const [, plan = '', image = ''] = /^(.*)\/images\/([^/]+)$/i.exec(path) ?? []
          const found = await labs.getImage(plan, image, signal)
          return found === null ? [] : [found]
        },
      ],
    ]
    const parentOf = (path: string): string => path.replace(/\/[^/]+$/, '')
    const readOf = ({ request }: RecordedInteraction) =>
      request.method === 'GET' ? READS.find(([shape]) => shape.test(new URL(request.url).pathname)) : undefined

    test('are read completely: every object with every field', async () => {
      let read = 0
      let objects = 0
      for (const { interactions } of labServicesConversations ?? []) {
        for (const interaction of interactions) {
          const [, run] = readOf(interaction) ?? []
          if (run === undefined) continue
          const { pathname, searchParams } = new URL(interaction.request.url)
          const { status, headers, body } = interaction.response
          // An excerpt of a first page has no second page here.
          const page = withoutLink(body)
          const version = searchParams.get('api-version') ?? undefined
          const subscription = pathname.split('/')[2]
          const { labs, requests } = readerOf(() => ({ status, headers, body: page }), version, subscription)
          const found = await run(labs, pathname)
          const expected = status >= 400 ? [] : isList(page) ? page.value : [page]
          expect(found).toEqual(expected)
          expect(requests.every(({ url }) => new URL(url).searchParams.get('api-version') === version)).toBe(true)
          read += 1
          objects += found.length
        }
      }
      expect(read).toBeGreaterThan(0)
      expect(objects).toBeGreaterThan(0)
    })
  },
)

const isList = (body: unknown): body is { value: unknown[] } =>
  typeof body === 'object' && body !== null && 'value' in body && Array.isArray(body.value)

function withoutLink(body: unknown): unknown {
  if (!isList(body) || !('nextLink' in body)) return body
  const { nextLink: _, ...rest } = body
  return rest
}
