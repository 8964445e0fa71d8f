import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createSubjects, PEOPLE, type Subject } from '@trainyard/platform/test/world.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'

let portal: TestPortal
let own: Subject
let foreign: Subject
let root: string
let admin: string

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  ;({ own, foreign } = await createSubjects(portal))
  root = await portal.sessionOf(PEOPLE.superadmin)
  admin = await portal.sessionOf(PEOPLE.admin)
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.owner
    .updateTable('organisation')
    .set({ time_zone: 'Asia/Kolkata', gst: null, second_factor: null, second_factor_since: null, idle_minutes: null })
    .execute()
})

interface Reply {
  readonly status: number
  readonly message: string
}
const change = async (part: 'profile' | 'security', uid: string, body: unknown): Promise<Reply> => {
  const reply = await portal.request('PATCH', `/admin/organization/${part}`, { uid, body })
  return { status: reply.status, message: ((await reply.json()) as Reply).message }
}
const settings = async (uid: string, organization?: string) => {
  const reply = await portal.request('GET', '/admin/organization/settings', {
    uid,
    ...(organization !== undefined && { query: { organization } }),
  })
  return (await reply.json()) as { timeZone: string; gst: string | null; creditLimit: number; security: object }
}
const stepClock = (by: string) =>
  sql`create or replace function portal_now() returns timestamptz language sql stable parallel safe
    return now() + interval '${sql.raw(by)}'`.execute(portal.owner)

describe('profile of an organisation', () => {
  test('an admin changes the time zone, and only a superadmin the GST number', async () => {
    expect(await change('profile', admin, { timeZone: 'Europe/Berlin' })).toEqual({
      status: 200,
      message: 'The profile of own school is saved.',
    })
    const number = { gst: ' 29 aabcr1718e 1zl ' }
    expect(await change('profile', admin, number)).toMatchObject({ status: 403 })
    expect(await settings(admin)).toMatchObject({ timeZone: 'Europe/Berlin', gst: null })
    const { organization } = own
    expect(await change('profile', root, { organization, ...number })).toMatchObject({ status: 200 })
    expect(await settings(admin)).toMatchObject({ timeZone: 'Europe/Berlin', gst: '29AABCR1718E1ZL' })
    expect(await settings(root, foreign.organization)).toMatchObject({ timeZone: 'Asia/Kolkata', gst: null })
    expect(await change('profile', admin, { gst: null })).toMatchObject({ status: 403 })
    expect(await change('profile', root, { organization, gst: null })).toMatchObject({ status: 200 })
    expect(await settings(admin)).toMatchObject({ timeZone: 'Europe/Berlin', gst: null })
  })

  test('a change is audited with user, old and new values', async () => {
    await change('profile', admin, { timeZone: 'Asia/Tokyo' })
    const { actor_email, before, after } = await portal.app.db
      .selectFrom('audit')
      .select(['actor_email', 'before', 'after'])
      .where('call', '=', 'organisation.changeProfile')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(actor_email).toBe(PEOPLE.admin)
    expect(before).toMatchObject({ timeZone: 'Asia/Kolkata' })
    expect(after).toMatchObject({ timeZone: 'Asia/Tokyo' })
  })

  test('a new time zone takes effect for signed-in users immediately', async () => {
    await change('profile', admin, { timeZone: 'Asia/Tokyo' })
    const me = await portal.request('GET', '/user/me', { uid: admin })
    expect(await me.json()).toMatchObject({ timeZone: 'Asia/Tokyo' })
  })

  test('only superadmins set the credit limit, in rupees and paise', async () => {
    expect(await change('profile', admin, { creditLimit: 1 })).toEqual({
      status: 403,
      message: 'Only superadmins can set the credit limit.',
    })
    expect(await change('profile', admin, { timeZone: 'Asia/Tokyo', creditLimit: 1 })).toMatchObject({ status: 403 })
    expect(await settings(admin)).toMatchObject({ timeZone: 'Asia/Kolkata', creditLimit: 0 })
    const body = { organization: own.organization, creditLimit: 1234.56 }
    expect(await change('profile', root, body)).toMatchObject({ status: 200 })
    expect(await settings(admin)).toMatchObject({ creditLimit: 1234.56 })
    expect(await change('profile', root, { ...body, creditLimit: 0 })).toMatchObject({ status: 200 })
  })

  test('a superadmin must give the organisation', async () => {
    expect(await change('profile', root, { gst: null })).toMatchObject({ status: 400 })
    expect(await change('profile', admin, { organization: foreign.organization, gst: null })).toMatchObject({
      status: 404,
    })
  })

  test.each([
    [{ gst: '29AABCR1718E1ZM' }, /^gst must have the correct check digit/],
    [{ gst: '28AANFA2641L1ZF' }, /^gst must begin with the code of a state/],
    [{ gst: '' }, /^gst must be 15 letters and digits/],
    [{ gst: 29 }, /^gst must be text/],
    [{ gst: `29${'A'.repeat(100)}` }, /^gst must be 15 letters and digits/],
    [{ timeZone: 'Mars/Olympus' }, /^timeZone: Choose a time zone from the list/],
    [{ timeZone: 'ASIA/KOLKATA' }, /^Choose a time zone from the list/],
    [{ timeZone: '+05:30' }, /^timeZone: Choose a time zone from the list/],
    [{ timeZone: null }, /^timeZone must be text/],
    [{ creditLimit: -1 }, /^creditLimit must be between/],
    [{ creditLimit: 1.001 }, /^creditLimit must be rupees/],
    [{ creditLimit: '5' }, /^creditLimit must be a number/],
    [{ logo: 'https://elsewhere.test/logo.png' }, /^logo is not a known field/],
    [{}, /^The request must contain at least one field to change/],
  ])('rejects profile %j, naming the field', async (body, sentence) => {
    const reply = await change('profile', root, { organization: own.organization, ...body })
    expect(reply).toEqual({ status: 400, message: expect.stringMatching(sentence) })
  })

  test('the database rejects invalid time zones, GST numbers and security values', async () => {
    const store = (values: object) => portal.owner.updateTable('organisation').set(values).execute()
    await expect(store({ time_zone: 'Mars/Olympus' })).rejects.toThrow(/time zone/)
    await expect(store({ gst: 'none' })).rejects.toThrow(/organisation_gst/)
    await expect(store({ idle_minutes: 4 })).rejects.toThrow(/check constraint/)
    await expect(store({ second_factor: 'required' })).rejects.toThrow(/check constraint/)
  })
})

describe('security settings of an organisation', () => {
  test('are saved individually', async () => {
    expect(await change('security', admin, { idleMinutes: 5 })).toEqual({
      status: 200,
      message: 'The security settings of own school are saved.',
    })
    await change('security', admin, { passwordChangeRequired: true })
    expect((await settings(admin)).security).toEqual({
      passwordChangeRequired: true,
      secondFactor: null,
      secondFactorSince: null,
      idleMinutes: 5,
      passwordsAllowed: true,
    })
    await change('security', admin, { passwordChangeRequired: false, passwordsAllowed: true, idleMinutes: null })
    expect((await settings(admin)).security).toMatchObject({ passwordChangeRequired: false, idleMinutes: null })
  })

  test('keep the date since when a second factor is required', async () => {
    const since = async () =>
      ((await settings(admin)).security as { secondFactorSince: string | null }).secondFactorSince
    await change('security', admin, { secondFactor: 'required' })
    const first = await since()
    expect(first).not.toBeNull()
    await stepClock('3 days')
    await sql`update session set confirmed_at = portal_now()`.execute(portal.owner)
    await change('security', admin, { secondFactor: 'required', idleMinutes: 60 })
    expect(await since()).toBe(first)
    await change('security', admin, { secondFactor: 'optional' })
    expect(await since()).toBeNull()
    await change('security', admin, { secondFactor: 'required' })
    expect(Date.parse((await since())!) - Date.parse(first!)).toBeGreaterThan(2 * 86_400_000)
    await stepClock('0 days')
  })

  test.each([
    [{ idleMinutes: 4 }, /^idleMinutes must be at least 5/],
    [{ idleMinutes: 10_081 }, /^idleMinutes must be at most 10080/],
    [{ idleMinutes: 5.5 }, /^idleMinutes must be a whole number/],
    [{ idleMinutes: '30' }, /^idleMinutes must be a/],
    [{ secondFactor: 'sometimes' }, /^secondFactor must be one of/],
    [{ passwordsAllowed: null }, /^passwordsAllowed must be true or false/],
    [{ secondFactorSince: null, idleMinutes: 5 }, /^secondFactorSince is not a known field/],
    [{}, /^The request must contain at least one field to change/],
  ])('reject %j, naming the field', async (body, sentence) => {
    expect(await change('security', admin, body)).toEqual({ status: 400, message: expect.stringMatching(sentence) })
  })

  test('can be changed only by the organisation’s admins and superadmins', async () => {
    for (const role of ['user', 'sandboxuser', 'awssandboxuser'] as const) {
      const uid = await portal.sessionOf(PEOPLE[role])
      expect(await change('security', uid, { idleMinutes: 5 })).toMatchObject({ status: 403 })
    }
    expect(await change('security', admin, { organization: foreign.organization, idleMinutes: 5 })).toMatchObject({
      status: 404,
    })
  })
})

test('deletes the data of a removed organisation and no data of other organisations', async () => {
  const tables = ['portal_user', 'organisation_logo', 'template_assignment'] as const
  const logo = { type: 'image/png', bytes: Buffer.from('image'), digest: Buffer.alloc(32, 1) } as const
  for (const { organization } of [own, foreign]) {
    const of = portal.owner.selectFrom('organisation').where('name', '=', organization)
    const { id: organisation_id } = await of.select('id').executeTakeFirstOrThrow()
    await portal.owner
      .insertInto('organisation_logo')
      .values({ organisation_id, ...logo })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const rows = async () => {
    const counts = tables.map(
      (table) => sql`select ${table}::text as of, o.name, count(*)::int from ${sql.table(table)} t
        left join organisation o on o.id = t.organisation_id group by o.name`,
    )
    return (await sql<{ of: string; name: string | null }>`${sql.join(counts, sql` union all `)}`.execute(portal.owner))
      .rows
  }
  const remove = async () => {
    const reply = await portal.request('DELETE', '/admin/organization', {
      uid: root,
      body: { organization: foreign.organization },
    })
    return { status: reply.status, message: ((await reply.json()) as Reply).message }
  }
  expect(await remove()).toEqual({
    status: 409,
    message: `${foreign.organization} still has a live machine. Delete its trainings first.`,
  })
  await sql`update machine set desired = 'gone', observed = 'absent', admin_password = null,
    reconcile_at = null, terminated_at = portal_now()
    where name = ${foreign.machine.name}`.execute(portal.owner)
  const before = await rows()
  expect(before.filter(({ name }) => name === foreign.organization)).toHaveLength(tables.length)
  expect(await remove()).toEqual({ status: 200, message: `Organisation ${foreign.organization} deleted.` })
  const remaining = before.filter(({ name }) => name !== foreign.organization)
  expect(remaining.filter(({ name }) => name === own.organization)).toHaveLength(tables.length)
  expect(await rows()).toEqual(expect.arrayContaining(remaining))
  expect(await rows()).toHaveLength(remaining.length)
  const ended = await portal.owner
    .selectFrom('organisation')
    .select('name')
    .where('removed_at', 'is not', null)
    .execute()
  expect(ended).toEqual([{ name: foreign.organization }])
})
