/** @module-tag full */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { LMS } from '../contract/lms-words.ts'
import { connectEmulatedLms } from '../test/emulated-lms.ts'
import { INSTRUCTOR, LEARNER } from '../test/lms-platform.ts'
import { machinesOf, order, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { processDueMachines } from '@trainyard/rosters/server/due-machines.ts'
import { readDueCourses } from './course-members.ts'

const env = await sharedEnvironment()
const campus = await env.organisation('Campus')
const admin = await env.signIn('admin', 'admin@campus.test', campus)
await admin('POST', '/azure/machines', order('Networks', ['learner@campus.test']))
const lms = await connectEmulatedLms(env, admin)
const link = await lms.addLink('Lab', { maximum: 100 })

const connectCourse = async (trainingName: string, title = 'Computer Science 101'): Promise<string> => {
  const { body } = await admin('GET', '/admin/lms')
  const { id } = body.platforms[0].courses.find((course: { title: string }) => course.title === title)
  expect((await admin('POST', '/admin/lms/courses', { id, trainingName })).status).toBe(200)
  return id as string
}

test('connects an LMS by dynamic registration, once per link', async () => {
  const { body } = await admin('GET', '/admin/lms')
  expect(body.platforms[0]).toMatchObject({
    state: 'ready',
    registrationExpires: null,
    settings: { issuer: expect.stringMatching(/\/lms$/), clientId: lms.clientId },
    deployments: [{ id: expect.stringMatching(/^\d+$/), isAccepted: true, seenAt: null }],
  })
  const { status } = await admin('POST', '/admin/lms/link', { id: lms.id })
  expect(status).toBe(409)
})

test("launches a student and a teacher of a connected course with the LMS's current key", async () => {
  expect((await lms.launch('5', link.id)).body['message']).toBe(LMS.notConnected('Computer Science 101'))
  await connectCourse('Networks')
  expect(await lms.enter('5', link.id)).toMatchObject({ session: 'user', target: '/vm/vmdetails?training=Networks' })
  expect(await lms.enter('3', link.id)).toMatchObject({ session: 'user', target: '/vm/class?training=Networks' })
  const { rows } = await sql<{ name: string | null }>`
    select name from portal_user where email like '%no-mailbox.invalid' order by name`.execute(env.db)
  expect(rows.map(({ name }) => name)).toEqual(['Asha Verma', 'Ravi Menon'])
})

describe('an instructor who chooses content', () => {
  const choose = async (ticket: string, view: string, cookie: string) => {
    const body = { ticket, view, title: 'My lab' }
    const reply = await env.portal.request('POST', '/lti/choose', { body, headers: { cookie } })
    return { status: reply.status, body: (await reply.json()) as { returnUrl: string; jwt: string } }
  }
  const send = ({ returnUrl, jwt }: { returnUrl: string; jwt: string }) =>
    fetch(returnUrl, { method: 'POST', body: new URLSearchParams({ JWT: jwt }), redirect: 'manual' })

  test('adds an activity, which opens the chosen view', async () => {
    const { status, body, cookie } = await lms.launch('3', null)
    expect([status, body['outcome'], body['title']]).toEqual([200, 'choosing', 'Networks'])
    const chosen = await choose(body['ticket']!, 'machine', cookie)
    expect(chosen.status).toBe(200)
    expect((await send(chosen.body)).status).toBe(303)
    // A deep linking request is answered once and opens no session.
    expect((await choose(body['ticket']!, 'class', cookie)).status).toBe(403)
    const page = await (await fetch(`${env.emulator.url}/lms/courses/CS101?as=3`)).text()
    const added = /lms\/links\/(\w+)\/frame\?as=3">My lab/.exec(page)![1]!
    expect(await lms.enter('3', added)).toMatchObject({ target: '/vm/vmdetails?training=Networks' })
  })

  test('cannot be a student, sign in with the request, or have the reply changed', async () => {
    expect((await lms.launch('5', null)).body['message']).toContain('Only instructors')
    const { body, cookie } = await lms.launch('3', null)
    const request = { body: { ticket: body['ticket'] }, headers: { cookie } }
    const entered = await env.portal.request('POST', '/lti/enter', request)
    expect(entered.status).toBe(403)
    const { returnUrl, jwt } = (await choose(body['ticket']!, 'class', cookie)).body
    const [head, claims, signature] = jwt.split('.')
    const changed = { ...JSON.parse(Buffer.from(claims!, 'base64url').toString()), aud: 'https://other.test' }
    const forged = [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
    expect((await send({ returnUrl, jwt: forged })).status).toBe(400)
    expect((await send({ returnUrl, jwt })).status).toBe(303)
  })
})

test('is removed only after its courses were disconnected', async () => {
  const { status, body } = await admin('DELETE', '/admin/lms', { id: lms.id })
  expect([status, body.message]).toEqual([409, expect.stringContaining('Computer Science 101 is connected')])
})

test('the connection test states what works and what the LMS refuses', async () => {
  const run = async () => (await admin('POST', '/admin/lms/test', { id: lms.id })).body
  expect(await run()).toEqual({
    found: ['The LMS publishes 1 key.', expect.stringContaining('accepts the portal’s key')],
    problem: null,
  })
  // Moodle responds with a web page if it cannot fetch the portal's key set.
  await env.emulator.fault({ kind: 'malformed', operation: 'Lti_Token', times: 1 })
  expect(await run()).toEqual({
    found: ['The LMS publishes 1 key.'],
    problem: expect.stringMatching(/web page \(404\)\. Most often the LMS cannot fetch the portal's key set at http/),
  })
  await env.emulator.fault({ kind: 'serverError', operation: 'Lti_Token', times: 1 })
  expect((await run()).problem).toMatch(/issues no access token \(500, server_error\)/)
})

describe('the members of a course', () => {
  interface Listed {
    readonly id: string
    readonly name?: string | null
    readonly email?: string | null
    readonly roles?: readonly string[]
    readonly status?: string
  }
  const setMembers = (members: readonly Listed[], overrides: object = {}) =>
    env.control('POST', '/_lti/members', { course: 'CS101', members, ...overrides })
  const courseOf = async () =>
    (await admin('GET', '/admin/lms')).body.platforms[0].courses.find(
      (course: { title: string }) => course.title === 'Computer Science 101',
    )
  const read = async (seconds = 3_700) => {
    await env.step(seconds)
    await readDueCourses(env.parts)(new AbortController().signal)
    return courseOf()
  }
  const rosterOf = async () => (await admin('GET', '/azure/roster?trainingName=Networks')).body
  const teacher: Listed = { id: '3', name: 'Ravi Menon', roles: [INSTRUCTOR] }
  const people = (count: number): Listed[] =>
    Array.from({ length: count }, (_, n) => ({
      id: `${1_000 + n}`,
      name: [`Learner ${n}`, 'आशा वर्मा', 'محمد علي', null][n % 4]!,
      email: n % 2 === 0 ? `Learner${n}@campus.test` : null,
    }))

  test('are read in pages, without inactive users, administrators and mentors', async () => {
    await setMembers([
      teacher,
      ...people(400),
      { id: 'gone', status: 'Deleted' },
      { id: 'away', status: 'Inactive' },
      { id: 'adm', roles: ['http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator'] },
      { id: 'mentor', roles: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Mentor'] },
    ])
    await env.control('POST', '/_lti/page-size', { size: 60 })
    expect((await read()).roster).toMatchObject({ members: 401, problem: null })
  })

  test("become members of the training's roster; accounts are created when a machine or a launch needs them", async () => {
    const { id } = await courseOf()
    const { sources } = await rosterOf()
    expect(sources).toEqual([
      { kind: 'lti_course', key: id, name: 'Computer Science 101 (Emulated LMS)', members: 401 },
    ])
    const rules = {
      machineRule: 'on_first_launch',
      templateName: TEMPLATE,
      allottedMinutes: 600,
      guacamole: true,
      seats: 2,
      graceDays: 14,
    }
    const saved = await admin('POST', '/azure/roster', {
      trainingName: 'Networks',
      source: { kind: 'lti_course', key: id },
      rules,
    })
    expect([saved.status, saved.body]).toEqual([200, expect.anything()])
    const { members } = (await rosterOf()).roster
    expect(members).toHaveLength(401)
    expect(new Set(members.map(({ name }: Listed) => (name?.startsWith('Learner') ? 'Learner' : name)))).toEqual(
      new Set(['Ravi Menon', 'Learner', 'आशा वर्मा', 'محمد علي', null]),
    )
  })

  test('get a machine at their first launch, for their address', async () => {
    const entered = await lms.enter('1000', link.id)
    const { rows } = await sql<{ email: string; due: boolean }>`
      select email, machine_due_at is not null as due from roster_member where external_id = '1000'`.execute(env.db)
    expect(rows).toEqual([{ email: entered['email'], due: true }])
    const others = await sql<{ n: number }>`
      select count(*)::int as n from roster_member where machine_due_at is not null`.execute(env.db)
    expect(others.rows).toEqual([{ n: 1 }])
    await lms.enter('3', link.id)
    const { body } = await admin('GET', '/azure/class/instructors?trainingName=Networks')
    expect(body.instructors.map(({ name }: { name: string }) => name)).toEqual(['Ravi Menon'])
  })

  // Canvas' test student, a parent, and an instructor of Moodle who switched to the role of a learner.
  test('take no seat if they only look at the course', async () => {
    const visitors: Listed[] = [
      { id: 'test', roles: [LEARNER, 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser'] },
      { id: 'parent', roles: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Mentor'] },
    ]
    await setMembers([{ ...teacher, roles: [LEARNER] }, ...people(400), ...visitors])
    for (const { id } of [teacher, ...visitors])
      expect(await lms.enter(id, link.id)).toMatchObject({ target: '/vm/vmdetails?training=Networks' })
    await lms.enter(teacher.id, link.id)
    const { rows } = await sql<{ external_id: string; role: string }>`
      select external_id, role from roster_member where external_id in ('test', 'parent', '3')`.execute(env.db)
    expect(rows).toEqual([{ external_id: '3', role: 'instructor' }])
    await setMembers([teacher, ...people(400)])
  })

  test("wait for an admin's decision if more than a fifth of them leave", async () => {
    await setMembers([teacher, ...people(390)])
    expect((await read()).roster).toMatchObject({ members: 391 })
    const remaining = () =>
      sql<{ n: number }>`select count(*)::int as n from roster_member where left_at is not null`
        .execute(env.db)
        .then(({ rows }) => rows[0]!.n)
    expect(await remaining()).toBe(10)
    await setMembers([teacher, ...people(200)])
    await read()
    expect(await remaining()).toBe(10)
    expect((await rosterOf()).roster.pendingRemoval).toMatchObject({ learners: 190 })
  })

  test('do not change if the LMS fails or sends an empty list', async () => {
    await setMembers([])
    const empty = await read()
    expect(empty.roster).toMatchObject({ members: 201, problem: expect.stringContaining('empty list') })
    await setMembers([teacher, ...people(200)])
    await env.emulator.fault({ kind: 'serverError', operation: 'Lti_Members', times: 1 })
    expect((await read()).roster).toMatchObject({ members: 201, problem: expect.stringContaining('answers 500') })
    // The read is retried within minutes, not only after an hour.
    expect((await read(600)).roster).toMatchObject({ members: 201, problem: null })
  })

  test('are read even if reading another course fails unexpectedly', async () => {
    await sql`
      insert into lms_course (platform_id, organisation_id, deployment_id, context_id, title, memberships_url, roster_due_at)
      select platform_id, organisation_id, deployment_id, 'broken ' || i, 'Broken', 'https://broken.test/', '2000-01-01'
      from lms_course, generate_series(1, 2) i`.execute(env.db)
    const { readAt } = (await courseOf()).roster
    await env.step(3_700)
    let broken = 0
    const members: typeof env.parts.lms.members = (client, url, deadline) =>
      url.includes('broken')
        ? Promise.reject(new TypeError(`unexpected ${(broken += 1)}`))
        : env.parts.lms.members(client, url, deadline)
    const bugs: unknown[] = []
    const parts = { ...env.parts, lms: { ...env.parts.lms, members }, onBug: (bug: unknown) => bugs.push(bug) }
    await readDueCourses(parts)(new AbortController().signal)
    expect(bugs.map(String)).toEqual(['TypeError: unexpected 1', 'TypeError: unexpected 2'])
    expect(broken).toBe(2)
    await sql`delete from lms_course where context_id like 'broken %'`.execute(env.db)
    const { roster } = await courseOf()
    expect(roster.readAt).not.toBe(readAt)
  })

  const orderDue = () =>
    processDueMachines(env.db, { ...env.parts, jobs: env.parts.jobQueue }, new AbortController().signal)

  test('keep the machine that the roster ordered when they link an existing user', async () => {
    const email = 'known@campus.test'
    const existingUser = await env.signIn('user', email, campus)
    await env.db.updateTable('portal_user').set({ signed_in_at: new Date() }).where('email', '=', email).execute()
    const inRouting = { course: 'CS102', title: 'Routing 102' }
    await setMembers([teacher, { id: '9', name: 'محمد علي', email }], inRouting)
    const activity = await lms.addLink('Routers', { course: 'CS102' })
    await lms.launch('3', activity.id, 'CS102')
    await admin('POST', '/azure/machines', order('Routing', ['learner@campus.test']))
    const key = await connectCourse('Routing', inRouting.title)
    await read()
    const rules = { templateName: TEMPLATE, allottedMinutes: null, guacamole: true, seats: null, graceDays: 14 }
    const source = { kind: 'lti_course', key }
    const body = { trainingName: 'Routing', source, rules: { machineRule: 'on_joining', ...rules } }
    expect((await admin('POST', '/azure/roster', body)).status).toBe(200)
    await orderDue()
    const ordered = (await machinesOf(admin, 'Routing')).filter((machine) => machine.email !== 'learner@campus.test')
    expect(ordered).toEqual([expect.objectContaining({ email: expect.stringMatching(/@no-mailbox\.invalid$/) })])

    const launched = await lms.launch('9', activity.id, 'CS102')
    expect(launched.body).toMatchObject({ outcome: 'linkable', email })
    const { body: found, cookie } = launched
    expect((await existingUser('POST', '/lti/link', { ticket: found['ticket'] }, { cookie })).status).toBe(200)
    const own = await machinesOf(existingUser, 'Routing')
    expect(own.map(({ _id }) => _id)).toEqual(ordered.map(({ _id }) => _id))
    await read()
    await orderDue()
    expect(await machinesOf(admin, 'Routing')).toHaveLength(2)
  })

  test('lead the class until the LMS no longer lists them as instructors', async () => {
    const leaving: Listed = { id: '77', name: 'Leaving', roles: [INSTRUCTOR] }
    const leads = async () =>
      (await admin('GET', '/azure/class/instructors?trainingName=Networks')).body.instructors.some(
        ({ name }: { name: string }) => name === 'Leaving',
      )
    for (const after of [[], [{ ...leaving, roles: [LEARNER] }]]) {
      await setMembers([teacher, leaving, ...people(200)])
      await lms.enter(leaving.id, link.id)
      expect([await leads(), (await read()).roster.problem, await leads()]).toEqual([true, null, true])
      const { body, cookie } = await lms.launch(leaving.id, link.id)
      await setMembers([teacher, ...after, ...people(200)])
      await read()
      expect([after, await leads()]).toEqual([after, false])
      const entered = await env.portal.request('POST', '/lti/enter', {
        body: { ticket: body['ticket'] },
        headers: { cookie },
      })
      expect([after, entered.status]).toEqual([after, 403])
    }
    await setMembers([teacher, ...people(200)])
    await read()
  })

  test('are not read while the LMS is suspended', async () => {
    await admin('POST', '/admin/lms/suspension', { id: lms.id, suspended: true })
    const { readAt } = (await courseOf()).roster
    await setMembers([teacher])
    expect((await read()).roster).toMatchObject({ members: 201, readAt })
    await admin('POST', '/admin/lms/suspension', { id: lms.id, suspended: false })
    expect(env.bugs).toEqual([])
  })
})
