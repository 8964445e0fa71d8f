import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { createSubjectsTemplate, PEOPLE, type Subject, type SubjectsTemplate } from '@trainyard/platform/test/world.ts'

let portal: TestPortal
let own: Subject
let foreign: Subject
let root: string
let admin: string

let template: SubjectsTemplate
beforeAll(async () => {
  template = await createSubjectsTemplate(inject('testCluster'))
})
afterAll(() => template.database.drop())
beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), {}, {}, template.database.name)
  ;({ own, foreign } = template)
  root = await portal.sessionOf(PEOPLE.superadmin)
  admin = await portal.sessionOf(PEOPLE.admin)
})
afterEach(() => portal.close())

interface Reply {
  readonly status: number
  readonly message: string
}
const change = async (uid: string, body: unknown): Promise<Reply> => {
  const reply = await portal.request('PATCH', '/admin/users', { uid, body })
  return { status: reply.status, message: ((await reply.json()) as Reply).message }
}
const me = async (uid: string) => portal.request('GET', '/user/me', { uid })
/** Adds the superadmins to the admin's organisation, as Create User can do. */
const joinOwn = () =>
  sql`update portal_user set organisation_id = (select id from organisation where name = ${own.organization})
    where role = 'superadmin'`.execute(portal.owner)
const roleOf = async (email: string) =>
  (await portal.app.db.selectFrom('portal_user').select('role').where('email', '=', email).executeTakeFirst())?.role

describe('change of access level', () => {
  test('is made by superadmins and ends all sessions of the user', async () => {
    const [first, second] = [await portal.sessionOf(PEOPLE.user), await portal.sessionOf(PEOPLE.user)]
    expect(await change(root, { email: PEOPLE.user, userType: 'admin' })).toEqual({
      status: 200,
      message: 'learner@own.test now has the access level admin and must log in again.',
    })
    expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 401])
    const audited = await portal.app.db
      .selectFrom('audit')
      .select(['before', 'after'])
      .where('call', '=', 'people.change')
      .executeTakeFirstOrThrow()
    const person = { email: PEOPLE.user, name: null }
    expect(audited).toEqual({ before: { ...person, userType: 'user' }, after: { ...person, userType: 'admin' } })
    const again = await me(await portal.sessionOf(PEOPLE.user))
    expect(await again.json()).toMatchObject({ userType: 'admin', organization: own.organization })
    expect(await change(root, { email: PEOPLE.user, userType: 'admin' })).toEqual({
      status: 409,
      message: 'learner@own.test already has the access level admin.',
    })
  })

  test('closes an open event stream of the user', async () => {
    await change(root, { email: PEOPLE.user, userType: 'admin' })
    const uid = await portal.sessionOf(PEOPLE.admin)
    const stream = await portal.request('GET', '/azure/machines/events', {
      uid,
      query: { trainingName: own.trainingName },
    })
    expect(stream.status).toBe(200)
    const reader = stream.body!.getReader()
    await reader.read()
    await change(root, { email: PEOPLE.admin, userType: 'user' })
    while (!(await reader.read()).done);
  })

  test('is rejected for admins, including for themselves', async () => {
    for (const userType of ['superadmin', 'admin', 'user']) {
      expect(await change(admin, { email: PEOPLE.admin, userType })).toMatchObject({ status: 403 })
      expect(await change(admin, { email: PEOPLE.user, name: 'New Name', userType })).toMatchObject({ status: 403 })
    }
    expect([await roleOf(PEOPLE.admin), await roleOf(PEOPLE.user)]).toEqual(['admin', 'user'])
    const { name } = await portal.app.db
      .selectFrom('portal_user')
      .select('name')
      .where('email', '=', PEOPLE.user)
      .executeTakeFirstOrThrow()
    expect(name).toBeNull()
  })

  test('keeps one superadmin, even if two demote each other concurrently', async () => {
    await joinOwn()
    const second = await portal.sessionOf('second@portal.test')
    const both = await Promise.all([
      change(root, { email: 'second@portal.test', userType: 'user' }),
      change(second, { email: PEOPLE.superadmin, userType: 'user' }),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    const remaining = await portal.app.db
      .selectFrom('portal_user')
      .select('email')
      .where('role', '=', 'superadmin')
      .execute()
    expect(remaining).toHaveLength(1)
    const last = await portal.sessionOf(remaining[0]!.email)
    expect(await change(last, { email: remaining[0]!.email, userType: 'admin' })).toEqual({
      status: 409,
      message: 'The last superadmin cannot get another access level.',
    })
  })

  test('is rejected for users without an organisation and for lab users', async () => {
    expect(await change(root, { email: 'second@portal.test', userType: 'admin' })).toEqual({
      status: 409,
      message: 'second@portal.test does not belong to an organisation and can only be a superadmin.',
    })
    expect(await change(root, { email: PEOPLE.sandboxuser, userType: 'superadmin' })).toEqual({
      status: 409,
      message: 'sandbox@portal.test is a lab user. Their access level cannot be changed.',
    })
  })

  test('is applied once if requested twice concurrently', async () => {
    const both = await Promise.all([1, 2].map(() => change(root, { email: PEOPLE.user, userType: 'admin' })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
})

describe('sign-out by an admin', () => {
  const ended = { status: 200, message: 'learner@own.test was signed out everywhere.' }

  test('ends all sessions of the user, who can then log in again', async () => {
    for (const by of [admin, root]) {
      const sessions = [await portal.sessionOf(PEOPLE.user), await portal.sessionOf(PEOPLE.user)]
      expect(await change(by, { email: PEOPLE.user, signOut: true })).toEqual(ended)
      expect(await Promise.all(sessions.map(async (uid) => (await me(uid)).status))).toEqual([401, 401])
    }
    expect((await me(await portal.sessionOf(PEOPLE.user))).status).toBe(200)
    expect((await me(admin)).status).toBe(200)
    const audited = await portal.app.db
      .selectFrom('audit')
      .select('after')
      .where('call', '=', 'people.change')
      .executeTakeFirstOrThrow()
    expect(audited.after).toEqual({ email: PEOPLE.user, name: null, userType: 'user', signedOut: true })
  })

  test('is rejected for users of other organisations and for superadmins', async () => {
    const otherSession = await portal.sessionOf(foreign.email)
    await joinOwn()
    for (const email of [foreign.email, PEOPLE.superadmin])
      expect(await change(admin, { email, signOut: true })).toMatchObject({ status: 404 })
    expect([(await me(otherSession)).status, (await me(root)).status]).toEqual([200, 200])
    expect(await change(admin, { email: PEOPLE.superadmin, name: 'Renamed' })).toMatchObject({ status: 404 })
    const listed = await (await portal.request('GET', '/admin/people', { uid: admin })).text()
    expect([listed.includes(PEOPLE.admin), listed.includes(PEOPLE.superadmin)]).toEqual([true, false])
    expect(await change(admin, { email: PEOPLE.user, signOut: false })).toMatchObject({ status: 400 })
  })

  test('closes the user’s event stream', { tags: ['storm'] }, async () => {
    const uid = await portal.sessionOf(PEOPLE.user)
    const stream = await portal.request('GET', '/azure/machines/events', {
      uid,
      query: { trainingName: own.trainingName },
    })
    const reader = stream.body!.getReader()
    await reader.read()
    expect(await change(admin, { email: PEOPLE.user, signOut: true })).toEqual(ended)
    while (!(await reader.read()).done);
  })
})

describe('user name', () => {
  const namedUser = async (uid: string, organization?: string) => {
    const reply = await portal.request('GET', '/admin/people', {
      uid,
      ...(organization && { query: { organization } }),
    })
    const { people } = (await reply.json()) as { people: { email: string; name: string | null }[] }
    return people.find(({ name }) => name !== null) ?? null
  }

  test('is set by an organisation’s admins and shown in lists', async () => {
    const session = await portal.sessionOf(PEOPLE.user)
    expect(await change(admin, { email: 'LEARNER@own.test', name: 'Asha Rao' })).toEqual({
      status: 200,
      message: 'learner@own.test was changed.',
    })
    expect(await namedUser(admin)).toEqual({
      email: PEOPLE.user,
      name: 'Asha Rao',
      userType: 'user',
      bounced: null,
      invitation: null,
    })
    const users = (await (await portal.request('GET', '/admin/users', { uid: root })).json()) as {
      users: { email: string }[]
    }
    const emails = users.users.map(({ email }) => email)
    expect(emails).toEqual(emails.toSorted())
    expect(users.users).toContainEqual(expect.objectContaining({ email: PEOPLE.user, name: 'Asha Rao' }))
    // The role did not change, so the session is still valid.
    expect(await (await me(session)).json()).toMatchObject({ name: 'Asha Rao' })
    await change(root, { email: PEOPLE.user, name: null })
    expect(await namedUser(admin)).toBeNull()
  })

  test('can be set by every user for themselves', async () => {
    for (const email of Object.values(PEOPLE)) {
      const uid = await portal.sessionOf(email)
      const reply = await portal.request('PATCH', '/user/name', { uid, body: { name: 'தமிழ் Ünï' } })
      expect(reply.status).toBe(200)
      expect(await (await me(uid)).json()).toMatchObject({ name: 'தமிழ் Ünï' })
      expect(await reply.json()).toMatchObject({ message: 'Your name is now தமிழ் Ünï.' })
    }
    const people = await portal.app.db.selectFrom('portal_user').select('name').execute()
    expect(people.filter(({ name }) => name !== null)).toHaveLength(Object.keys(PEOPLE).length)
    const taken = await portal.request('PATCH', '/user/name', { uid: admin, body: { name: null } })
    expect(await taken.json()).toMatchObject({ message: 'Your name was removed.' })
    expect(await (await me(admin)).json()).toMatchObject({ name: null })
  })

  test("of another organisation's user cannot be changed, with the same reply as for an unknown user", async () => {
    const nobody = await change(admin, { email: 'nobody@nobody.test', name: 'X' })
    expect(nobody.status).toBe(404)
    expect(await change(admin, { email: foreign.email, name: 'X' })).toEqual(nobody)
    expect(await change(admin, { email: PEOPLE.superadmin, name: 'X' })).toEqual(nobody)
  })

  test.each([
    [{ name: '' }, /^name must not be empty/],
    [{ name: ' Asha' }, /^name must not begin or end with a space/],
    [{ name: 'A\u0001sha' }, /^name must not contain control characters/],
    [{ name: 'a'.repeat(101) }, /^name must be at most 100/],
    [{ name: 7 }, /^name must be text/],
    [{ userType: 'sandboxuser' }, /^userType must be one of/],
    [{ userType: null }, /^userType must be one of/],
    [{}, /^The request must contain at least one field to change/],
  ])('rejects %j, naming the field', async (body, sentence) => {
    expect(await change(root, { email: PEOPLE.user, ...body })).toEqual({
      status: 400,
      message: expect.stringMatching(sentence),
    })
  })
})
