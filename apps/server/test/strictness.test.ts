/** @module-tag full */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Call, methodOf, pathOf } from '@trainyard/platform/contract/call.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { sampleOf } from './access/test-rows.ts'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { createSubjects } from './world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { validate } from '@trainyard/platform/server/http/validate.ts'

/** Number of arbitrary requests per call. `npm run storm` makes more. */
const RUNS = process.env['STORM'] === 'long' ? 100 : 5

const portal = await sharedPortal()
const { own } = await createSubjects(portal)
let uid = await portal.sessionOf(PEOPLE.superadmin)

interface Refusal {
  readonly code: string
  readonly message: string
  readonly error: string
  readonly requestId: string
}

const refusal = async (reply: Response) => ({ status: reply.status, ...((await reply.json()) as Refusal) })

const user = { email: 'a@b.test', password: 'long enough', organization: 'own school', userType: 'user' }

test.each([
  ['an unknown field', { ...user, colour: 'blue' }, 'colour is not a known field.'],
  ['a missing field', { ...user, email: undefined }, 'email is missing.'],
  ['a number instead of text', { ...user, password: 12_345_678 }, 'password must be text.'],
  ['null instead of text', { ...user, organization: null }, 'organization must be text.'],
  ['a list instead of text', { ...user, organization: ['own school'] }, 'organization must be text.'],
  ['no e-mail address', { ...user, email: 'a@b' }, 'email must be an e-mail address such as name@example.com.'],
  ['an unknown enum value', { ...user, userType: 'king' }, 'userType must be one of user, admin, superadmin.'],
  ['too short a password', { ...user, password: 'short' }, 'password must be at least 8 characters long.'],
  [
    'one of the most common passwords',
    { ...user, password: 'password' },
    'This password is among the most common ones. Please choose another.',
  ],
  [
    'a NUL character',
    { ...user, organization: 'own\0school' },
    'organization contains a character that cannot be stored.',
  ],
  [
    'an unpaired surrogate',
    { ...user, password: 'long enough \ud800' },
    'password contains a character that cannot be stored.',
  ],
  ['a list as the body', [user], 'The request must be an object of fields.'],
  ['an empty body', '', 'The request must be an object of fields.'],
])('rejects %s with a message that names the field', async (_what, body, message) => {
  const reply = await refusal(await portal.request('POST', '/admin/users', { uid, body }))
  expect(reply).toMatchObject({ status: 400, code: 'malformed', message, error: message })
  expect(reply.requestId).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  ['the Contact Us form', '/contact', (email: string) => ({ email, phone: '1', companyName: 'School' })],
  ['a user', '/admin/users', (email: string) => ({ ...user, email })],
  [
    'the personal address of an Azure lab user',
    '/sandbox/user',
    (email: string) => ({ username: `azure-${email.length}`, personalEmail: email, duration: 5 }),
  ],
  [
    'the personal address of an AWS lab user',
    '/aws/user',
    (email: string) => ({ username: `aws-${email.length}`, personalEmail: email, duration: 5 }),
  ],
])('accepts any valid e-mail address for %s', async (_what, path, bodyOf) => {
  for (const email of ['jane+lab@b.technology', 'head@north.academy']) {
    const reply = await portal.request('POST', path, { uid, body: bodyOf(email) })
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('message')])
  }
})

test('names an item of a list by its position', async () => {
  const body = {
    templateName: 'own template',
    email: ['fine@own.test', 'not fine'],
    trainingName: 'T',
    allocatedHours: '5',
    createVmCount: 2,
    guacamole: false,
  }
  const reply = await refusal(await portal.request('POST', '/azure/machines', { uid, body }))
  expect(reply).toMatchObject({
    status: 400,
    message: 'email (item 2) must be an e-mail address such as name@example.com.',
  })
})

test.each([
  ['a parameter given twice', '/azure/machines?trainingName=a&trainingName=b', 'trainingName must be text.'],
  ['an unknown parameter', '/admin/users?page=2', 'page is not a known field.'],
  ['a missing parameter', '/azure/machines', 'trainingName is missing.'],
  [
    'a NUL character in a parameter',
    '/azure/machines?trainingName=%00',
    'trainingName contains a character that cannot be stored.',
  ],
  ['an invalid address', '/azure/%zz', 'The address of the request is not valid.'],
])('rejects %s', async (_what, path, message) => {
  expect(await refusal(await portal.request('GET', path, { uid }))).toMatchObject({ status: 400, message })
})

test.each([
  ['invalid JSON', '{"email":'],
  ['a __proto__ field', '{"__proto__":{"admin":true}}'],
  ['many brackets', '['.repeat(50_000)],
  ['deep nesting', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
])('answers %s with 400', async (_what, body) => {
  expect(await refusal(await portal.request('POST', '/admin/users', { uid, body }))).toMatchObject({ status: 400 })
})

test('answers a body above 1 MiB with 413 and rejects plain text', async () => {
  const body = JSON.stringify({ ...user, password: 'x'.repeat(1024 * 1024) })
  expect(await refusal(await portal.request('POST', '/admin/users', { uid, body }))).toMatchObject({ status: 413 })
  const headers = { 'content-type': 'text/plain' }
  expect(await refusal(await portal.request('POST', '/admin/users', { uid, body: '{}', headers }))).toMatchObject({
    status: 400,
  })
})

test('accepts a DELETE with a JSON content type and no body', async () => {
  const headers = { 'content-type': 'application/json' }
  const reply = await portal.request('DELETE', '/azure/killTraining', {
    uid,
    headers,
    query: { trainingName: 'nobody' },
  })
  expect(reply.status).toBe(404)
})

test('answers an unknown call with 404 in JSON, without a stack, and describes itself as OpenAPI 3.1', async () => {
  expect(await refusal(await portal.request('GET', '/nowhere'))).toMatchObject({ status: 404, code: 'notFound' })
  expect(await refusal(await portal.request('PATCH', '/user/login', { body: {} }))).toMatchObject({ status: 404 })
  const described = (await (await portal.request('GET', '/openapi.json')).json()) as { openapi: string; paths: object }
  expect(described.openapi).toBe('3.1.0')
  const paths = Object.values(contract).flatMap((calls) => Object.values(calls as Record<string, Call>))
  expect(Object.keys(described.paths)).toEqual(expect.arrayContaining(paths.map((each) => `/api${pathOf(each)}`)))
})

test('allows scripts only from our files and the payment provider, and frames only from the payment provider', async () => {
  const csp = (await portal.request('GET', '/openapi.json')).headers.get('content-security-policy')!
  const checkout = 'http://127.0.0.1:4010'
  const [, scripts] = /script-src ([^;]*)/.exec(csp)!
  expect(scripts).toMatch(new RegExp(`^'self'( 'sha256-[A-Za-z0-9+/=]{44}')* ${checkout}$`))
  expect(csp).toContain(`frame-src 'self' ${checkout};`)
})

const changing = Object.entries(contract).flatMap(([module, calls]) =>
  Object.entries(calls as Record<string, Call>).map(([name, call]) => ({ title: `${module}.${name}`, call })),
)

/** Values of wrong types and beyond all limits. */
const WRONG = [{}, [[]], 'x'.repeat(20_000), '', -1.5, 2 ** 40, true]
const roleOf = ({ for: roles }: Call): Role | null =>
  roles === 'anyone' ? null : roles === 'signed in' || roles.includes('superadmin') ? 'superadmin' : roles[0]

/** Every wrong value is given to the server's validator. One value per field is also sent to the server. */
describe('a field of the wrong type is named', () => {
  test.each(changing.filter(({ call }) => call.kind !== 'signed'))('$title', async ({ title, call }) => {
    const [module, name] = title.split('.') as [string, string]
    const role = roleOf(call) ?? 'user'
    const session = roleOf(call) === null ? {} : { uid: await portal.sessionOf(PEOPLE[role]) }
    const [{ body = null } = {}] = sampleOf(module, name).request(own, role) as readonly { body?: object }[]
    if (body === null || Array.isArray(body)) return
    const check = validate({ schema: call.body!, method: methodOf(call), url: pathOf(call) })
    for (const field of Object.keys(body)) {
      // A user with a damaged link sees the message, which therefore names the link instead of its token.
      const named = expect.stringMatching(
        field === 'token' ? /token|^This link is incomplete/i : new RegExp(field, 'i'),
      )
      const rejected = WRONG.map((value) => ({ ...body, [field]: value })).filter(
        (sent) => !call.body!.safeParse(sent).success,
      )
      for (const sent of rejected)
        expect([title, check(sent)]).toEqual([title, { error: expect.objectContaining({ message: named }) }])
      const [sent] = rejected
      if (sent === undefined) continue
      const { status, message } = await refusal(
        await portal.request(methodOf(call), pathOf(call), { ...session, body: sent }),
      )
      // Calls that take a password accept only 8 kB, and the Contact Us form only twenty requests a minute.
      if (status === 413 || status === 429) continue
      expect([title, field, status, message]).toEqual([title, field, 400, named])
    }
  })
})

describe('arbitrary input breaks no call', () => {
  /** Values close to valid input, so that some requests pass the first checks. */
  const scalar = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom<unknown>(
      'own school',
      'own training',
      'own template',
      own.machine.name,
      own.email,
      '',
      ' ',
      null,
      true,
    ),
    fc.double(),
    fc.integer(),
  )
  const names = [
    'email',
    'password',
    'organization',
    'userType',
    'trainingName',
    'template',
    'templateName',
    'vmName',
    'name',
    'resourceGroup',
    'operation',
    'allocatedHours',
    'createVmCount',
    'guacamole',
    'token',
    '__proto__',
    'constructor',
  ]
  const object = fc.dictionary(fc.constantFrom(...names), fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })))
  // The arbitraries are created once, because building them takes longer than a run.
  const sent = {
    body: fc.oneof(object, fc.array(object, { maxLength: 3 }), fc.jsonValue()),
    query: fc.dictionary(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 20 })),
  }

  test.each(changing)('$title', async ({ call }) => {
    const statuses: number[] = []
    await fc.assert(
      fc.asyncProperty(sent.body, sent.query, async (body, query) => {
        const enough = new AbortController()
        const reply = await portal.request(methodOf(call), pathOf(call), {
          uid,
          query: Object.fromEntries(Object.entries(query).filter(([, text]) => text.isWellFormed())),
          ...(methodOf(call) === 'GET' ? {} : { body: JSON.stringify(body) }),
          signal: enough.signal,
        })
        statuses.push(reply.status)
        if (call.kind === 'stream') enough.abort()
        else await reply.text()
      }),
      { numRuns: RUNS },
    )
    expect(statuses.filter((status) => status >= 500 && pathOf(call) !== '/health')).toEqual([])
    // The calls include Logout, so the session is renewed.
    uid = await portal.sessionOf('second@portal.test')
  })
})
