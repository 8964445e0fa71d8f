/** @module-tag full */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { OrganisationId, ScimUserId } from '@trainyard/platform/contract/words/ids.ts'
import { SCIM_TOKEN_PREFIX } from '../contract/scim-words.ts'
import { NO_MAILBOX } from '@trainyard/platform/contract/words/email.ts'
import { invitationToken, validInvitations } from '@trainyard/users/server/invitation-link.ts'
import { openSession } from '@trainyard/users/server/sessions.ts'
import { fireDue } from '@trainyard/schedules/server/fire.ts'
import { processDueMachines } from '@trainyard/rosters/server/due-machines.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sendLateBody } from '@trainyard/platform/test/late-body.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex Academy')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
await env.signIn('user', 'elsewhere@globex.test', globex)
const { db, parts } = env

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const newToken = async (name: string, as = admin) =>
  (await as('POST', '/admin/scim/tokens', { name, days: 30 })).body as { id: string; token: string }
const { token } = await newToken('Entra ID')
const { token: foreignToken } = await newToken('Okta', foreignAdmin)

interface ScimReply {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests check the shape
  readonly body: any
}

async function scim(
  method: string,
  path: string,
  body?: unknown,
  { as = token, headers = {} }: { readonly as?: string; readonly headers?: Record<string, string> } = {},
): Promise<ScimReply> {
  const reply = await fetch(`${env.portal.url}/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
}

const addUser = async (userName: string, overrides: object = {}, as = token): Promise<string> => {
  const { status, body } = await scim('POST', '/Users', { schemas: [USER], userName, ...overrides }, { as })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}
const addGroup = async (displayName: string, members: readonly string[] = []): Promise<string> => {
  const { status, body } = await scim('POST', '/Groups', {
    schemas: [GROUP],
    displayName,
    members: members.map((value) => ({ value })),
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}
const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { schemas: [PATCH], Operations })
const verifyDomain = (organisation_id: OrganisationId, domain: string) =>
  db
    .insertInto('organisation_domain')
    .values({ organisation_id, domain, verified_at: new Date(), verified_by: 'dns' })
    .execute()
const account = (email: string) =>
  db.selectFrom('portal_user').selectAll().where('email', '=', email).executeTakeFirst()

describe('tokens', () => {
  test('work until they are revoked or expire, and are stored as a hash', async () => {
    const { id, token: other } = await newToken('Rotation')
    expect(other).toMatch(new RegExp(`^${SCIM_TOKEN_PREFIX}[0-9A-Za-z]{49}$`))
    expect((await scim('GET', '/Users', undefined, { as: other })).status).toBe(200)
    const { body } = await admin('GET', '/admin/scim')
    expect(JSON.stringify(body)).not.toContain(other)
    expect(body.tokens.find((each: { id: string }) => each.id === id).used.address).toBe('127.0.0.1')
    expect((await foreignAdmin('DELETE', '/admin/scim/tokens', { id })).status).toBe(404)
    await admin('DELETE', '/admin/scim/tokens', { id })
    const refused = await scim('GET', '/Users', undefined, { as: other })
    expect([refused.status, refused.body.status, refused.body.schemas]).toEqual([
      401,
      '401',
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ])
    expect(refused.headers.get('www-authenticate')).toContain('Bearer')
    for (const invalid of ['', 'x', `${SCIM_TOKEN_PREFIX}${'0'.repeat(49)}`])
      expect((await scim('GET', '/Users', undefined, { as: invalid })).status).toBe(401)
    const { token: shortToken } = (await admin('POST', '/admin/scim/tokens', { name: 'Short', days: 1 })).body
    await env.step(86_400)
    expect((await scim('GET', '/Users', undefined, { as: shortToken })).status).toBe(401)
  })

  test('are refused if they are revoked before the body is complete', async () => {
    const { id, token: late } = await newToken('Late')
    const body = JSON.stringify({ schemas: [USER], userName: 'late@acme.test' })
    const [start, rest] = [body.slice(0, 5), body.slice(5)]
    const sent = sendLateBody('POST', `${env.portal.url}/scim/v2/Users`, { token: late, start })
    await until(
      'the token is authenticated, by the head of the request',
      () => sql`select from scim_token where id = ${id} and used_at is not null`.execute(db),
      ({ rows }) => rows.length > 0,
    )
    await admin('DELETE', '/admin/scim/tokens', { id })
    expect(await sent.end(rest)).toBe(401)
    expect(await account('late@acme.test')).toBeUndefined()
  })

  test('give no access to other calls; sessions and API keys give no access to the endpoint', async () => {
    const api = await fetch(`${env.portal.url}/api/admin/scim`, { headers: { authorization: `Bearer ${token}` } })
    expect(api.status).toBe(401)
    const { token: session } = await env.credentials('admin@acme.test')
    expect((await scim('GET', '/Users', undefined, { as: session })).status).toBe(401)
  })
})

describe('the endpoint', () => {
  test('describes itself', async () => {
    const { body: config, headers } = await scim('GET', '/ServiceProviderConfig')
    expect(headers.get('content-type')).toContain('application/scim+json')
    expect([config.patch.supported, config.filter.supported, config.bulk.supported, config.etag.supported]).toEqual([
      true,
      true,
      false,
      true,
    ])
    const { body: types } = await scim('GET', '/resourcetypes')
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['/Users', '/Groups'])
    const { body: schemas } = await scim('GET', '/Schemas')
    expect(schemas.totalResults).toBe(6)
    expect(JSON.stringify(schemas)).not.toContain('null')
    for (const { meta } of [...types.Resources, ...schemas.Resources])
      expect((await scim('GET', meta.location.split('/scim/v2')[1])).status).toBe(200)
  })

  test.each([
    ['GET', '/Nothing', undefined, 404],
    ['GET', '/Users/absent', undefined, 404],
    ['GET', '/Users/11111111-1111-4111-8111-111111111111', undefined, 404],
    ['GET', '/Users/a/b', undefined, 404],
    ['GET', '/Schemas/urn:none', undefined, 404],
    ['GET', '/Schemas?filter=id%20pr', undefined, 403],
    ['POST', '/ServiceProviderConfig', {}, 405],
    ['PUT', '/Users', {}, 405],
    ['GET', '/Me', undefined, 501],
    ['POST', '/Bulk', {}, 501],
    ['GET', '/Users?filter=bogus', undefined, 400],
    ['GET', '/Users?count=x', undefined, 400],
    ['POST', '/Users', '{', 400],
    ['POST', '/Users', [], 400],
    ['POST', '/Users', {}, 400],
    ['POST', '/Users', { userName: 'x', schemas: [GROUP] }, 400],
    ['POST', '/Users', { userName: 'x', title: 'x'.repeat(140_000) }, 413],
    ['POST', '/Groups', { displayName: ' ' }, 400],
  ])('answers %s %s with an error in the form of SCIM', async (method, path, body, status) => {
    const reply = await scim(method, path, body)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toContain('application/scim+json')
    expect(reply.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      detail: expect.any(String),
    })
  })

  test('refuses other content types', async () => {
    const headers = { 'content-type': 'text/xml' }
    expect((await scim('POST', '/Users', '<a/>', { headers })).status).toBe(415)
  })
})

describe('users', () => {
  test('are created, found, replaced, changed and deleted', async () => {
    const created = await scim('POST', '/Users', {
      schemas: [USER],
      userName: 'Bina@acme.test',
      externalId: 'B-1',
      name: { givenName: 'Bina', familyName: 'Das' },
      emails: [{ value: 'bina@acme.test', type: 'work', primary: true }],
      active: 'True',
      password: 'not stored',
      groups: [],
    })
    expect(created.status).toBe(201)
    const { id, meta } = created.body
    expect(created.headers.get('location')).toBe(meta.location)
    expect(created.body).toMatchObject({ active: true, userName: 'Bina@acme.test' })
    expect(JSON.stringify(created.body)).not.toContain('not stored')
    expect(await account('bina@acme.test')).toMatchObject({ role: 'user', name: 'Bina Das', password_hash: null })
    expect(await db.selectFrom('invitation').select('id').execute()).toEqual([])

    expect((await scim('POST', '/Users', { userName: 'BINA@acme.test' })).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    })
    for (const filter of ['userName eq "bina@ACME.test"', 'externalId eq "B-1"', 'emails.value eq "BINA@acme.test"'])
      expect((await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body).toMatchObject({
        totalResults: 1,
        itemsPerPage: 1,
        startIndex: 1,
        Resources: [{ id }],
      })
    const encodedFilter = encodeURIComponent('userName eq "2d9a5c9f-guid"')
    expect(await scim('GET', `/Users?filter=${encodedFilter}`)).toMatchObject({
      status: 200,
      body: { totalResults: 0, Resources: [] },
    })
    expect((await scim('POST', '/Users/.search', { filter: 'externalId eq "B-1"' })).body.totalResults).toBe(1)

    const unchanged = await scim('GET', `/Users/${id}`, undefined, { headers: { 'if-none-match': meta.version } })
    expect([unchanged.status, unchanged.body]).toEqual([304, null])
    // Okta reads the resource from the replies to its requests without paths.
    const okta = await patch(`/Users/${id}`, { op: 'replace', value: { title: 'Teacher' } })
    expect([okta.status, okta.body.title]).toEqual([200, 'Teacher'])
    expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'nickName', value: 'Bi' })).status).toBe(204)
    const staleWrite = await scim(
      'PUT',
      `/Users/${id}`,
      { userName: 'bina@acme.test' },
      { headers: { 'if-match': meta.version } },
    )
    expect(staleWrite.status).toBe(412)
    const replaced = await scim('PUT', `/Users/${id}`, { userName: 'bina@acme.test', id: 'other' })
    expect(replaced.body).toMatchObject({ id, active: true })
    expect(replaced.body).not.toHaveProperty('title')

    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404)
    expect(await account('bina@acme.test')).toBeUndefined()
  })

  test('without an e-mail address become users without a mailbox', async () => {
    const first = await addUser('nomail', { emails: [{ value: 'shared@acme.test' }] })
    const second = await addUser('nomail2', { emails: [{ value: 'shared@acme.test' }] })
    const addresses = await db
      .selectFrom('scim_user')
      .innerJoin('portal_user', 'portal_user.id', 'scim_user.user_id')
      .select(['scim_user.id', 'portal_user.email'])
      .execute()
    expect(addresses.find(({ id }) => id === first)!.email).toBe('shared@acme.test')
    expect(addresses.find(({ id }) => id === second)!.email).toContain(NO_MAILBOX)
  })

  test('of another organisation are neither visible nor adopted, and the reply does not reveal them', async () => {
    const own = await addUser('border@acme.test')
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { userName: 'x' }],
      ['PATCH', { Operations: [{ op: 'replace', path: 'active', value: false }] }],
      ['DELETE', undefined],
    ] as const)
      expect((await scim(method, `/Users/${own}`, body, { as: foreignToken })).status).toBe(404)
    expect((await scim('GET', '/Users', undefined, { as: foreignToken })).body.totalResults).toBe(0)
    await env.signIn('superadmin', 'root@portal.test', null)
    await verifyDomain(globex, 'globex.test')
    for (const userName of ['elsewhere@globex.test', 'new@globex.test', 'root@portal.test']) {
      const reply = await scim('POST', '/Users', { userName })
      expect(reply.status).toBe(409)
      expect(reply.body.detail).toBe(
        `${userName} cannot be added to this organisation. Use another address, or contact support.`,
      )
    }
    const moved = await patch(`/Users/${own}`, { op: 'replace', path: 'userName', value: 'elsewhere@globex.test' })
    expect(moved.status).toBe(409)
    expect(await account('elsewhere@globex.test')).toMatchObject({ organisation_id: globex })
    // A member of another organisation has no effect.
    const foreign = await addUser('theirs@globex.test', {}, foreignToken)
    const group = await addGroup('Border', [foreign])
    const mapped = await admin('POST', '/admin/scim/groups', { group, role: 'admin' })
    expect(mapped.status).toBe(200)
    expect(await account('theirs@globex.test')).toMatchObject({ role: 'user' })
    expect((await foreignAdmin('POST', '/admin/scim/groups', { group, role: 'user' })).status).toBe(404)
  })

  test.each([
    ['a text of Entra ID', { op: 'Replace', path: 'active', value: 'False' }],
    ['a request of Okta', { op: 'replace', value: { active: false } }],
  ])('are deactivated by %s: sessions, keys and sign-ins end, machines stop', async (_what, operation) => {
    const email = `off-${operation.op.toLowerCase()}-${'path' in operation ? 1 : 2}@acme.test`
    const id = await addUser(email)
    await admin('POST', '/azure/machines', order(`Course of ${email}`, [email]))
    const learner = await env.signIn('user', email, acme)
    expect((await learner('GET', '/user/me')).status).toBe(200)
    const custom = { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:custom:2.0:User:badge', value: 'B-7' }
    await scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: [custom, operation] })
    expect((await learner('GET', '/user/me')).status).toBe(401)
    const { desired } = await db
      .selectFrom('machine')
      .select('desired')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(desired).toBe('stopped')
    expect((await scim('GET', `/Users/${id}`)).body.active).toBe(false)
    const inactive = encodeURIComponent(`active eq false and userName eq "${email}"`)
    expect((await scim('GET', `/Users?filter=${inactive}`)).body.totalResults).toBe(1)
    const link = await db
      .selectFrom('invitation')
      .innerJoin('portal_user', 'portal_user.id', 'user_id')
      .select('revoked_at')
      .where('email', '=', email)
      .execute()
    expect(link.every(({ revoked_at }) => revoked_at !== null)).toBe(true)
    const user = (await account(email))!.id
    await expect(db.transaction().execute((tx) => openSession(tx, user))).rejects.toThrow('deactivated this account')
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
    await expect(db.transaction().execute((tx) => openSession(tx, user))).resolves.toEqual(expect.any(String))
  })

  test('whose user is deactivated keep a stopped machine when a schedule or an admin starts the class', async () => {
    const [leaver, other] = ['closed.class@acme.test', 'open.class@acme.test']
    const id = await addUser(leaver)
    const trainingName = 'Class of a leaver'
    await admin('POST', '/azure/machines', order(trainingName, [leaver, other]))
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    const desiredAfter = async (start: () => Promise<unknown>) => {
      await sql`update machine set desired = 'stopped', observed = 'stopped', first_seen_at = portal_now()
        where email in (${leaver}, ${other})`.execute(env.portal.owner)
      await start()
      const { rows } = await sql<{ email: string; desired: string }>`
        select email, desired from machine where email in (${leaver}, ${other}) order by email`.execute(db)
      return rows.map(({ desired }) => desired)
    }
    const schedule = () =>
      sql`insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by)
        select id, organisation_id, 'Start', '2026-01-01', '09:00', 'Asia/Kolkata', portal_now(), 'admin'
        from training where name = ${trainingName}`
        .execute(db)
        .then(() => db.transaction().execute((tx) => fireDue(tx)))
    expect(await desiredAfter(schedule)).toEqual(['stopped', 'running'])
    const { rows } = await sql<{ reason: string }>`
      select reason from schedule_outcome where outcome = 'skipped' and reason like '%deactivated%'`.execute(db)
    expect(rows).toHaveLength(1)
    await sql`delete from schedule_outcome using schedule s where s.id = schedule_id and s.created_by = 'admin'`.execute(
      env.portal.owner,
    )
    await sql`delete from schedule where created_by = 'admin'`.execute(env.portal.owner)
    const startAll = () => admin('POST', '/azure/class/power', { trainingName, operation: 1 })
    expect(await desiredAfter(startAll)).toEqual(['stopped', 'running'])
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect(await desiredAfter(startAll)).toEqual(['running', 'running'])
  })

  test('cannot remove the last admin or a superadmin', async () => {
    await db.updateTable('portal_user').set({ role: 'user' }).where('email', '=', 'admin@acme.test').execute()
    await verifyDomain(acme, 'acme.test')
    const id = await addUser('admin@acme.test')
    await db.deleteFrom('organisation_domain').where('domain', '=', 'acme.test').execute()
    await db.updateTable('portal_user').set({ role: 'admin' }).where('email', '=', 'admin@acme.test').execute()
    const refused = await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'Acme Learning must keep an active admin. Make another user an admin first.',
    ])
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(403)
    const other = await addUser('promoted-here@acme.test')
    const promoted = () => account('promoted-here@acme.test')
    await db.updateTable('portal_user').set({ role: 'admin' }).where('email', '=', 'promoted-here@acme.test').execute()
    const group = await addGroup('Demoted', [other])
    await admin('POST', '/admin/scim/groups', { group, role: 'user' })
    expect(await promoted()).toMatchObject({ role: 'admin' })
    expect((await scim('DELETE', `/Users/${other}`)).status).toBe(204)
    expect(await promoted()).toMatchObject({ role: 'admin', deactivated_at: expect.any(Date) })
    const root = await addUser('promoted@acme.test')
    await db.updateTable('portal_user').set({ role: 'superadmin' }).where('email', '=', 'promoted@acme.test').execute()
    expect((await patch(`/Users/${root}`, { op: 'replace', path: 'active', value: false })).status).toBe(403)
    expect((await scim('DELETE', `/Users/${root}`)).status).toBe(403)
    await db.updateTable('portal_user').set({ role: 'user' }).where('email', '=', 'promoted@acme.test').execute()
  })

  test('return as users without the access level after the directory deleted an admin', async () => {
    const email = 'returning@acme.test'
    const id = await addUser(email)
    const { id: user } = (await account(email))!
    await db.updateTable('portal_user').set({ role: 'admin' }).where('id', '=', user).execute()
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await account(email)).toMatchObject({ id: user, role: 'admin', deactivated_at: expect.any(Date) })
    const create = (as = token) => scim('POST', '/Users', { schemas: [USER], userName: email }, { as })
    expect((await create(foreignToken)).status).toBe(409)
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(await account(email)).toMatchObject({ id: user, role: 'user', deactivated_at: null })
    const group = await addGroup('Returning leads', [body.id])
    await admin('POST', '/admin/scim/groups', { group, role: 'admin' })
    expect(await account(email)).toMatchObject({ id: user, role: 'admin' })
    await scim('DELETE', `/Groups/${group}`)
    expect(await account(email)).toMatchObject({ id: user, role: 'user' })
  })

  test('keep their machines when their address changes', async () => {
    const id = await addUser('before@acme.test')
    await admin('POST', '/azure/machines', order('Renamed', ['before@acme.test']))
    await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'after@acme.test' })
    expect((await machinesOf(admin, 'Renamed')).map(({ email }) => email)).toEqual(['after@acme.test'])
  })

  test('lose links sent to their former address; a deactivated user loses the calendar link', async () => {
    const id = await addUser('moved.old@acme.test')
    const { id: user } = (await account('moved.old@acme.test'))!
    await db
      .insertInto('invitation')
      .values({ user_id: user, purpose: 'password', expires_at: sql<Date>`portal_now() + interval '30 minutes'` })
      .execute()
    const open = () => validInvitations(db).select('purpose').where('user_id', '=', user).execute()
    expect(await open()).toHaveLength(1)
    await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'moved.new@acme.test' })
    expect(await open()).toEqual([])

    const learner = await env.signIn('user', 'moved.new@acme.test', acme)
    const { body } = await learner('POST', '/account/calendars', { trainingName: null })
    const url = Object.values<string>(body).find((value) => value.includes('token='))!
    const read = async () => (await fetch(url.replace(/^.*\/api/, `${env.portal.url}/api`))).status
    expect(await read()).toBe(200)
    await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect(await read()).toBe(404)
  })

  test('of a user who existed before need a verified domain and, for a new address, the user’s confirmation', async () => {
    const school = await env.organisation('Takeover')
    const attacker = await env.signIn('admin', 'attacker@takeover.test', school)
    const { token: as } = await newToken('Takeover', attacker)
    await env.signIn('admin', 'victim@takeover.test', school)
    await env.signIn('user', 'learner@takeover.test', school)
    await env.signIn('user', 'learner@elsewhere.test', school)
    await verifyDomain(school, 'takeover.test')
    for (const userName of ['victim@takeover.test', 'learner@elsewhere.test'])
      expect((await scim('POST', '/Users', { userName }, { as })).status).toBe(409)

    const id = await addUser('learner@takeover.test', {}, as)
    const { id: user } = (await account('learner@takeover.test'))!
    const moveTo = (value: string) =>
      scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'userName', value }] }, { as })
    for (const address of ['mine@takeover.test', 'other@takeover.test', 'mine@takeover.test']) {
      expect((await moveTo(address)).status).toBeLessThan(300)
      expect((await account('learner@takeover.test'))?.id).toBe(user)
    }
    const links = await validInvitations(db).select(['id', 'purpose']).where('user_id', '=', user).execute()
    expect(links.map(({ purpose }) => purpose)).toEqual(['address'])
    const link = invitationToken(parts.seal, links[0]!.id)
    const post = (path: string, body: object) => env.portal.request('POST', path, { body })
    expect((await post('/user/password', { token: link, password: 'Quartz-window-2280' })).status).toBe(404)
    const shown = await (await post('/user/invitation', { token: link })).json()
    expect(shown).toMatchObject({ purpose: 'address', email: 'learner@takeover.test', newEmail: 'mine@takeover.test' })
    const close = (deactivated_at: Date | null) =>
      db.updateTable('portal_user').set({ deactivated_at }).where('id', '=', user).execute()
    await close(new Date())
    expect((await post('/user/confirm', { token: link })).status).toBe(404)
    await close(null)
    expect((await post('/user/confirm', { token: link })).status).toBe(200)
    expect((await post('/user/confirm', { token: link })).status).toBe(404)
    expect((await account('mine@takeover.test'))?.id).toBe(user)
    const { rows: mails } = await sql<{ mailbox: string; made: boolean }>`
      select data ->> 'mailbox' as mailbox, (data ->> 'made')::boolean as made from pgboss.job
      where name = 'user.addressNotice' and data ->> 'from' = 'learner@takeover.test' order by 2, 1`.execute(db)
    expect(mails).toEqual([
      { mailbox: 'mine@takeover.test', made: false },
      { mailbox: 'mine@takeover.test', made: false },
      { mailbox: 'other@takeover.test', made: false },
      { mailbox: 'learner@takeover.test', made: true },
      { mailbox: 'mine@takeover.test', made: true },
    ])
  })

  test('are deactivated, and keep their address, when their new address belongs to another user', async () => {
    const id = await addUser('leaver.old@acme.test')
    await env.signIn('user', 'leaver.new@acme.test', acme)
    const [rename, close] = [
      { op: 'replace', path: 'userName', value: 'leaver.new@acme.test' },
      { op: 'replace', path: 'active', value: false },
    ]
    expect((await patch(`/Users/${id}`, rename)).status).toBe(409)
    expect((await patch(`/Users/${id}`, rename, close)).status).toBe(204)
    expect(await account('leaver.old@acme.test')).toMatchObject({ deactivated_at: expect.any(Date) })
  })

  test('of a directory whose user was made an admin, or has a password, confirm a new address', async () => {
    for (const values of [{ role: 'admin' }, { password_hash: 'none' }] as const) {
      const email = `${Object.keys(values)[0]!}@acme.test`
      const id = await addUser(email)
      await db.updateTable('portal_user').set(values).where('email', '=', email).execute()
      await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: `stolen.${email}` })
      expect(await account(`stolen.${email}`)).toBeUndefined()
      // The directory withdraws the request.
      await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: email })
      const user = (await account(email))!.id
      expect(await validInvitations(db).select('id').where('user_id', '=', user).execute()).toEqual([])
      await db.updateTable('portal_user').set({ role: 'user' }).where('id', '=', user).execute()
    }
  })

  test('are created once by concurrent requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => scim('POST', '/Users', { userName: 'twice@acme.test' })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
  })
})

describe('values', () => {
  /** Characters in random order, which PostgreSQL cannot compress to fit into an index. */
  const long = Array.from({ length: 2_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * i * 7_919) % 20_011))).join(
    '',
  )

  test.each([
    ['/Users', { userName: long }],
    ['/Users', { userName: 'long', externalId: long }],
    ['/Users', { userName: 'long', emails: [{ value: long }] }],
    ['/Groups', { displayName: long }],
  ])('that are too long for an index are refused: %s', async (path, body) => {
    expect((await scim('POST', path, body)).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
  })

  test('of a user grow by PATCH only to the size of one request', async () => {
    const id = await addUser('growing@acme.test')
    const add = (i: number) =>
      scim('PATCH', `/Users/${id}`, {
        schemas: [PATCH],
        Operations: [
          {
            op: 'add',
            path: 'phoneNumbers',
            value: Array.from({ length: 50 }, (_, j) => ({ value: `${i} ${j}`, display: 'd'.repeat(1_000) })),
          },
        ],
      })
    expect((await add(1)).status).toBe(204)
    expect((await add(2)).status).toBe(204)
    expect((await add(3)).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect((await scim('GET', `/Users/${id}`)).body.phoneNumbers).toHaveLength(100)
  })

  test.each([
    ['values', `{"displayName":"costly","x":[${'{},'.repeat(200_000)}{}]}`, 413],
    ['levels', `{"displayName":"costly","x":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, 400],
    ['attributes', `{"displayName":"costly"${Array.from({ length: 2_000 }, (_, i) => `,"a${i}":1`).join('')}}`, 400],
  ])('with too many %s are refused before they are read', async (_what, body, status) => {
    expect((await scim('POST', '/Groups', body)).status).toBe(status)
  })

  test('that name members and groups are shortened in lists of thousands', async () => {
    const name = 'n'.repeat(1_500)
    const user = await addUser('named@acme.test', { displayName: name })
    const { body } = await scim('POST', '/Groups', {
      displayName: name,
      members: [{ value: user }, { value: 'elsewhere', display: name }],
    })
    const group = (await scim('GET', `/Groups/${body.id}`)).body
    expect(group.displayName).toHaveLength(1_500)
    expect(group.members.map((member: { display: string }) => member.display.length)).toEqual([255, 255])
    expect((await scim('GET', `/Users/${user}`)).body.groups[0].display).toHaveLength(255)
    await scim('DELETE', `/Groups/${body.id}`)
  })
})

describe('groups', () => {
  test('give and revoke access levels, but never revoke the access level of the last admin', async () => {
    const [one, two] = [await addUser('lead1@acme.test'), await addUser('lead2@acme.test')]
    const group = await addGroup('Leads', [one])
    expect(await account('lead1@acme.test')).toMatchObject({ role: 'user' })
    const { id: user_id } = (await account('lead1@acme.test'))!
    const identity = { organisation_id: acme, issuer: 'https://issuer.test', subject: 'lead1', user_id }
    await db.insertInto('provider_identity').values(identity).execute()
    await admin('POST', '/admin/scim/groups', { group, role: 'admin' })
    expect(await account('lead1@acme.test')).toMatchObject({ role: 'admin' })
    // The owner confirms the link to the provider again.
    expect(await db.selectFrom('provider_identity').select('subject').execute()).toEqual([])
    await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ $ref: null, value: two }] })
    expect(await account('lead2@acme.test')).toMatchObject({ role: 'admin' })
    const session = await env.signIn('admin', 'lead1@acme.test', acme)
    await patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${one}"]` })
    expect(await account('lead1@acme.test')).toMatchObject({ role: 'user' })
    expect((await session('GET', '/user/me')).status).toBe(401)
    // A superadmin takes the role and gives it again. From then on the group does not take it.
    const root = await env.signIn('superadmin', 'root.levels@portal.test', null)
    for (const userType of ['user', 'admin'])
      expect((await root('PATCH', '/admin/users', { email: 'lead2@acme.test', userType })).status).toBe(200)
    const given = () =>
      db
        .selectFrom('scim_user')
        .select('role_given')
        .where('id', '=', two as ScimUserId)
        .executeTakeFirst()
    expect(await given()).toEqual({ role_given: false })
    await db
      .updateTable('scim_user')
      .set({ role_given: true })
      .where('id', '=', two as ScimUserId)
      .execute()
    // Two admins remain: the admin whose role no group gave, and the last admin.
    await db.updateTable('portal_user').set({ role: 'user' }).where('email', '=', 'admin@acme.test').execute()
    await patch(`/Groups/${group}`, { op: 'remove', path: 'members' })
    expect(await account('lead2@acme.test')).toMatchObject({ role: 'admin' })
    await db.updateTable('portal_user').set({ role: 'admin' }).where('email', '=', 'admin@acme.test').execute()
    expect((await admin('POST', '/admin/scim/groups', { group, role: 'superadmin' })).status).toBe(400)
  })

  test('take the access level of a former last admin as soon as there is another admin', async () => {
    const school = await env.organisation('Handover')
    const { token: as } = await newToken('Handover', await env.signIn('admin', 'first@handover.test', school))
    const [lead, next] = [await addUser('lead@handover.test', {}, as), await addUser('next@handover.test', {}, as)]
    await addUser('other@handover.test', {}, as)
    const root = await env.signIn('superadmin', 'root.handover@portal.test', null)
    const setRole = (email: string, userType: string) => root('PATCH', '/admin/users', { email, userType })
    const { body: group } = await scim('POST', '/Groups', { displayName: 'Leads', members: [{ value: lead }] }, { as })
    const setMembers = (...ids: string[]) =>
      scim('PUT', `/Groups/${group.id}`, { displayName: 'Leads', members: ids.map((value) => ({ value })) }, { as })
    const map = { organization: 'Handover', group: group.id, role: 'admin' }
    expect((await root('POST', '/admin/scim/groups', map)).status).toBe(200)
    expect((await setRole('first@handover.test', 'user')).status).toBe(200)
    await setMembers()
    expect(await account('lead@handover.test')).toMatchObject({ role: 'admin' })
    await setMembers(next)
    expect(await account('next@handover.test')).toMatchObject({ role: 'admin' })
    expect(await account('lead@handover.test')).toMatchObject({ role: 'user' })
    await setMembers()
    expect(await account('next@handover.test')).toMatchObject({ role: 'admin' })
    expect((await setRole('other@handover.test', 'admin')).status).toBe(200)
    expect(await account('next@handover.test')).toMatchObject({ role: 'user' })
    await setMembers(next)
    expect((await setRole('other@handover.test', 'user')).status).toBe(200)
    await setMembers()
    expect(await account('next@handover.test')).toMatchObject({ role: 'admin' })
    const added = { email: 'added@handover.test', organization: 'Handover', userType: 'admin' }
    expect((await root('POST', '/admin/users/invite', added)).status).toBe(200)
    expect(await account('next@handover.test')).toMatchObject({ role: 'user' })
  })

  test('are unique by name, shown without members on request, and listed with a user', async () => {
    const id = await addUser('grouped@acme.test', { displayName: 'Grouped' })
    const group = await addGroup('Physics', [id, 'no user of this portal'])
    expect((await scim('POST', '/Groups', { displayName: 'PHYSICS' })).body.scimType).toBe('uniqueness')
    const { body } = await scim('GET', `/Groups/${group}`)
    expect(body.members).toEqual([
      { value: id, $ref: expect.stringContaining(`/Users/${id}`), type: 'User', display: 'Grouped' },
      { value: 'no user of this portal' },
    ])
    expect((await scim('GET', `/Groups/${group}?excludedAttributes=members`)).body).not.toHaveProperty('members')
    expect((await scim('GET', `/Users/${id}`)).body.groups).toMatchObject([{ value: group, display: 'Physics' }])
    const member = encodeURIComponent(`id eq "${group}" and members eq "${id}"`)
    expect((await scim('GET', `/Groups?filter=${member}`)).body.totalResults).toBe(1)
    const repeated = await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: id }] })
    expect(repeated.status).toBe(204)
    expect((await scim('GET', `/Groups/${group}`)).body.meta.version).toBe(body.meta.version)
    const renamed = await scim('PUT', `/Groups/${group}`, { displayName: 'Physics 2' })
    expect(renamed.body).toMatchObject({ id: group, displayName: 'Physics 2' })
    expect(renamed.body).not.toHaveProperty('members')
    expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204)
  })

  test('give a training 2,000 learners in one request; 500 who leave wait for an admin', async () => {
    const { rows } = await sql<{ id: string }>`
        with account as (
          insert into portal_user (email, role, organisation_id)
          select 'm' || i || '@acme.test', 'user', ${acme} from generate_series(1, 2000) i returning id, email)
        insert into scim_user (organisation_id, user_id, user_name, active, emails, data)
        select ${acme}, id, email, true, '{}', jsonb_build_object('userName', email, 'active', true) from account
        returning id`.execute(db)
    const ids = rows.map(({ id }) => id)
    const group = await addGroup('Everyone')
    await admin('POST', '/azure/machines', order('Everyone', ['admin@acme.test']))
    const saved = await admin('POST', '/azure/roster', {
      trainingName: 'Everyone',
      source: { kind: 'scim_group', key: group },
      rules: {
        machineRule: 'on_joining',
        templateName: TEMPLATE,
        allottedMinutes: 600,
        guacamole: true,
        seats: 3,
        graceDays: 7,
      },
    })
    expect(saved.body.message).toBe('Everyone follows Everyone.')
    const added = await patch(`/Groups/${group}`, {
      op: 'Add',
      path: 'members',
      value: ids.map((value) => ({ value })),
    })
    expect(added.status).toBe(204)
    const shown = async () => (await admin('GET', '/azure/roster?trainingName=Everyone')).body.roster
    expect((await shown()).members).toHaveLength(2_000)
    const operations = ids.slice(0, 500).map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }))
    expect((await patch(`/Groups/${group}`, ...operations)).status).toBe(204)
    const pending = await shown()
    expect(pending.pendingRemoval.learners).toBe(500)
    expect(pending.members.filter(({ state }: { state: string }) => state === 'left')).toEqual([])
    await processDueMachines(parts.db, { seal: parts.seal, jobs: parts.jobQueue }, AbortSignal.timeout(500))
    expect((await machinesOf(admin, 'Everyone')).length).toBe(4)
  })

  test('with a user who is deactivated end the access to the training', async () => {
    const [id, other] = [await addUser('class1@acme.test'), await addUser('class2@acme.test')]
    const group = await addGroup('Class 7', [id, other])
    await admin('POST', '/azure/machines', order('Class 7', ['teacher@acme.test']))
    await admin('POST', '/azure/roster', {
      trainingName: 'Class 7',
      source: { kind: 'scim_group', key: group },
      rules: {
        machineRule: 'on_joining',
        templateName: TEMPLATE,
        allottedMinutes: null,
        guacamole: true,
        seats: null,
        graceDays: 7,
      },
    })
    await processDueMachines(parts.db, { seal: parts.seal, jobs: parts.jobQueue }, new AbortController().signal)
    await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    await scim('DELETE', `/Users/${other}`)
    const machines = await db
      .selectFrom('machine')
      .select(['desired', 'withheld_at'])
      .where('email', 'in', ['class1@acme.test', 'class2@acme.test'])
      .execute()
    expect(machines).toHaveLength(2)
    for (const machine of machines) expect(machine).toEqual({ desired: 'stopped', withheld_at: expect.any(Date) })
    const foreign = await foreignAdmin('POST', '/azure/roster', { trainingName: 'Class 7' })
    expect(foreign.status).toBe(400)
  })
})

test('the emulated directory provisions users and groups with requests of Entra ID and Okta', async () => {
  const otherAdmin = await env.signIn('admin', 'admin@directory.test', await env.organisation('Directory'))
  const { token: own } = await newToken('Directory', otherAdmin)
  const page = `${env.emulator.url}/directory`
  const send = (path: string, fields: Record<string, string> | [string, string][] = {}) =>
    fetch(`${page}/${path}`, { method: 'POST', body: new URLSearchParams(fields) }).then((reply) => reply.text())
  const groups = async () =>
    (await scim('GET', '/Groups', undefined, { as: own })).body.Resources as {
      displayName: string
      members?: { display: string }[]
    }[]
  const url = `${env.portal.url}/scim/v2`
  const refused = await send('connection', { url, style: 'entra', token: 'wrong' })
  expect(refused).toContain('did not accept the connection: 401')
  for (const style of ['entra', 'okta']) {
    const email = `${style}@directory.test`
    expect(await send('connection', { url, style, token: own })).toContain('Connected.')
    const shown = await send('people', { user_name: email, given_name: 'Nila', family_name: 'Sen' })
    const added = /people\/(\d+)\/delete" aria-label="Delete Nila Sen"/.exec(shown)![1]!
    expect(await groups()).toHaveLength(2)
    await send(
      'groups/1/members',
      ['1', added].map((number) => ['member', number]),
    )
    const { members } = (await groups()).find(({ displayName }) => displayName === 'Linux class')!
    expect(members!.map(({ display }) => display).toSorted()).toEqual(['Asha Rao', 'Nila Sen'])
    await send(`people/${added}/active`, { active: 'false' })
    expect((await account(email))!.deactivated_at).toBeInstanceOf(Date)
    await send(`people/${added}/active`, { active: 'true' })
    expect((await account(email))!.deactivated_at).toBeNull()
    // The page shows why a user or group could not be provisioned.
    expect(await send(`people/${added}/delete`)).not.toContain('<strong class="wide">')
    expect(await account(email)).toBeUndefined()
  }
})

describe('large directories', () => {
  const large = async (name: string) => {
    const id = await env.organisation(name)
    const otherAdmin = await env.signIn('admin', `admin@${name.toLowerCase()}.test`, id)
    return { id, as: (await newToken('Large', otherAdmin)).token }
  }

  test('are read in pages that end early if their groups have many members, and omit no group', async () => {
    const { id, as } = await large('Initech')
    await sql`
      with created as (
        insert into scim_group (organisation_id, display_name)
        select ${id}, 'Group ' || i from generate_series(1, 3) i returning id)
      insert into scim_group_member (group_id, organisation_id, value)
      select created.id, ${id}, 'm' || i from created, generate_series(1, 9000) i`.execute(db)
    const read = async (overrides: string) =>
      (await scim('GET', `/Groups?count=200${overrides}`, undefined, { as })).body
    const first = await read('')
    expect([first.totalResults, first.itemsPerPage, first.Resources.length]).toEqual([3, 2, 2])
    const rest = await read('&startIndex=3')
    expect([rest.totalResults, rest.startIndex, rest.itemsPerPage]).toEqual([3, 3, 1])
    expect(new Set([...first.Resources, ...rest.Resources].map((group) => group.displayName)).size).toBe(3)
    expect(rest.Resources[0].members).toHaveLength(9_000)
    expect((await read('&excludedAttributes=members')).itemsPerPage).toBe(3)
    const filtered = await read(`&filter=${encodeURIComponent('members eq "m7" or displayName eq "Group 1"')}`)
    expect([filtered.totalResults, filtered.itemsPerPage]).toEqual([3, 2])
    const display = await read(`&attributes=displayName&filter=${encodeURIComponent('not (members[value eq "m0"])')}`)
    expect([display.totalResults, display.itemsPerPage]).toEqual([3, 3])
  })

  test('refuse a filter that takes too much work, and answer a filter that an index narrows', async () => {
    const { id, as } = await large('Hooli')
    await sql`
      insert into scim_user (organisation_id, user_name, active, emails, data)
      select ${id}, 'u' || i, true, '{}', jsonb_build_object('userName', 'u' || i, 'active', true, 'emails', list)
      from generate_series(1, 250) i,
        (select jsonb_agg(jsonb_build_object('value', 'address' || n || '@hooli.test')) as list
          from generate_series(1, 200) n)`.execute(db)
    const search = (filter: string) => scim('POST', '/Users/.search', { filter, attributes: ['userName'] }, { as })
    const costly = `emails[${Array.from({ length: 100 }, (_, i) => `value co "x${i}"`).join(' or ')}]`
    expect((await search(costly)).body).toMatchObject({ status: '400', scimType: 'tooMany' })
    expect((await search(`userName eq "u7" and ${costly}`)).body.totalResults).toBe(0)
    expect((await search(`userName eq "u7" or (userName eq "U8" and active eq true)`)).body.totalResults).toBe(2)
    expect((await search('emails.value co "address200@"')).body.totalResults).toBe(250)
  })
})

test('audits changes with the name of the token, and leaves a valid state', async () => {
  const rows = await db.selectFrom('audit').selectAll().where('call', '=', 'scim.createUser').limit(1).execute()
  expect(rows[0]).toMatchObject({ actor_email: 'Entra ID', actor_id: null, organisation_id: acme })
  const all = await db.selectFrom('audit').selectAll().where('call', 'like', 'scim.%').execute()
  expect(JSON.stringify(all)).not.toContain(token)
  expect(await brokenInvariants(db, { quiet: false })).toEqual([])
  expect(env.bugs).toEqual([])
})

test('a superadmin who changes the access level waits for the directory, without a deadlock', async () => {
  const email = 'waiting@acme.test'
  await addUser(email)
  const person = (await account(email))!
  const { promise: changing, resolve: begin } = Promise.withResolvers<Promise<unknown>>()
  await db.transaction().execute(async (directory) => {
    await sql`select from scim_user where user_id = ${person.id} for update`.execute(directory)
    const root = await env.signIn('superadmin', 'root@portal.test', null)
    begin(root('PATCH', '/admin/users', { email, userType: 'admin' }))
    await until(
      'the change waits for the directory',
      () =>
        sql`select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`.execute(directory),
      ({ rows }) => rows.length > 0,
    )
    await sql`update portal_user set name = 'Asha' where id = ${person.id}`.execute(directory)
  })
  expect(await changing).toMatchObject({ status: 200 })
  expect(await account(email)).toMatchObject({ role: 'admin', name: 'Asha' })
})
