import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'

const env = await sharedEnvironment()
const root = await env.signIn('superadmin', 'root@demo.test', null)

let count = 0
let domain: string
let owner: Caller
let owningOrganisation: OrganisationId
let otherAdmin: Caller
let squatting: OrganisationId

beforeEach(async () => {
  count += 1
  domain = `owner${count}.test`
  owningOrganisation = await env.organisation(`Owner ${count}`)
  squatting = await env.organisation(`Squatter ${count}`)
  owner = await env.signIn('admin', `admin${count}@acme.test`, owningOrganisation)
  otherAdmin = await env.signIn('admin', `squatter${count}@globex.test`, squatting)
})

const verify = async () => {
  await owner('POST', '/admin/identity-provider/domains', { domain })
  const { status } = await root('POST', '/admin/identity-provider/domains/confirm', {
    organization: `Owner ${count}`,
    domain,
  })
  expect(status).toBe(200)
}
const orderFor = async (caller: Caller, email: string) => {
  const { status, body } = await caller('POST', '/azure/machines', order('Course', [email]))
  return [status, body.message] as const
}
const refused = (email: string) => [
  409,
  `${email} cannot be added to this organisation. Use another address, or contact support.`,
]
const userOf = (email: string) =>
  env.db
    .selectFrom('portal_user')
    .select(['organisation_id', 'role', 'password_hash', 'password_given'])
    .where('email', '=', email)
    .executeTakeFirst()
const validInvitations = async (email: string) => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from invitation i
    join portal_user u on u.id = i.user_id where u.email = ${email} and i.used_at is null and i.revoked_at is null`.execute(
    env.db,
  )
  return rows[0]!.count
}
const unused = { role: 'user', password_hash: null, password_given: false }

describe('an address of a domain that another organisation has verified', () => {
  test('gets neither a machine nor a user through an order', async () => {
    await verify()
    const email = `kumar@${domain}`
    expect(await orderFor(otherAdmin, email)).toEqual(refused(email))
    expect(await userOf(email)).toBeUndefined()
    expect((await orderFor(owner, email))[0]).toBe(200)
  })

  test('is not given a machine of another learner', async () => {
    await verify()
    const email = `kumar@${domain}`
    await orderFor(otherAdmin, `learner${count}@globex.test`)
    await sql`update machine set first_seen_at = portal_now() where organisation_id = ${squatting}`.execute(env.db)
    const machine = await env.db
      .selectFrom('machine')
      .select(['name', 'place_group as resourceGroup'])
      .where('organisation_id', '=', squatting)
      .executeTakeFirstOrThrow()
    const { status, body } = await otherAdmin('PATCH', '/azure/machinesLearner', { ...machine, email })
    expect([status, body.message]).toEqual(refused(email))
  })

  test.each([
    ['created', '/admin/users', { password: 'a long enough pass phrase' }],
    ['invited', '/admin/users/invite', {}],
  ])('is not %s in the wrong organisation by a superadmin', async (_how, path, more) => {
    await verify()
    const email = `kumar@${domain}`
    const add = (organization: string) => root('POST', path, { email, organization, userType: 'admin', ...more })
    const { status, body } = await add(`Squatter ${count}`)
    expect([status, body.message]).toEqual(refused(email))
    expect((await add(`Owner ${count}`)).status).toBe(200)
  })
})

describe('a user who never signed in', () => {
  test('moves to the organisation that verifies its domain, without role, password and invitation', async () => {
    const [ordered, created] = [`ordered@${domain}`, `created@${domain}`]
    expect((await orderFor(otherAdmin, ordered))[0]).toBe(200)
    const body = {
      email: created,
      organization: `Squatter ${count}`,
      userType: 'admin',
      password: 'a long pass phrase',
    }
    expect((await root('POST', '/admin/users', body)).status).toBe(200)
    const directory = await env.db
      .insertInto('scim_user')
      .values({
        organisation_id: squatting,
        user_id: sql<UserId>`(select id from portal_user where email = ${ordered})`,
        user_name: ordered,
        active: true,
        emails: [ordered],
        data: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await verify()
    // The directory of the former organisation no longer controls the user.
    expect(
      await env.db.selectFrom('scim_user').select('user_id').where('id', '=', directory.id).executeTakeFirstOrThrow(),
    ).toEqual({ user_id: null })
    expect(await userOf(ordered)).toEqual({ organisation_id: owningOrganisation, ...unused })
    expect(await userOf(created)).toEqual({ organisation_id: owningOrganisation, ...unused })
    expect(await validInvitations(ordered)).toBe(0)
    // The order of the owner invites the learner.
    expect((await orderFor(owner, ordered))[0]).toBe(200)
    expect(await validInvitations(ordered)).toBe(1)
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  })

  test('stays if it is the last admin of an organisation with other users', async () => {
    const emails = [`first@${domain}`, `second@${domain}`]
    const other = await env.organisation(`Other ${count}`)
    for (const email of emails)
      await env.db
        .insertInto('portal_user')
        .values({ email, role: 'admin', organisation_id: other, password_hash: null })
        .execute()
    await env.signIn('user', `learner${count}@other.test`, other)
    await verify()
    expect(await userOf(emails[0]!)).toEqual({ organisation_id: owningOrganisation, ...unused })
    expect(await userOf(emails[1]!)).toMatchObject({ organisation_id: other, role: 'admin' })
    expect(await orderFor(owner, emails[1]!)).toEqual(refused(emails[1]!))
  })

  test("moves when the domain's organisation orders for it, also if it was created before this version", async () => {
    await verify()
    const email = `kumar@${domain}`
    await env.db
      .insertInto('portal_user')
      .values({ email, role: 'admin', organisation_id: squatting, password_hash: null })
      .execute()
    expect((await orderFor(owner, email))[0]).toBe(200)
    expect(await userOf(email)).toEqual({ organisation_id: owningOrganisation, ...unused })
  })

  test("moves when a superadmin creates it in the domain's organisation, with the given role", async () => {
    await verify()
    const email = `kumar@${domain}`
    await env.db
      .insertInto('portal_user')
      .values({ email, role: 'user', organisation_id: squatting, password_hash: null })
      .execute()
    const body = { email, organization: `Owner ${count}`, userType: 'admin' }
    expect((await root('POST', '/admin/users/invite', body)).status).toBe(200)
    expect(await userOf(email)).toEqual({ organisation_id: owningOrganisation, ...unused, role: 'admin' })
  })
})

test('keeps a user who has signed in, with the same refusal as for a foreign domain', async () => {
  const email = `kumar@${domain}`
  await env.signIn('user', email, squatting)
  await verify()
  expect(await orderFor(owner, email)).toEqual(refused(email))
  expect(await userOf(email)).toMatchObject({ organisation_id: squatting })
  // The user also stays if no organisation has verified the domain.
  await env.signIn('user', `plain${count}@plain.test`, squatting)
  expect(await orderFor(owner, `plain${count}@plain.test`)).toEqual(refused(`plain${count}@plain.test`))
})

test('keeps an unused user if the domain is not verified', async () => {
  const email = `kumar@${domain}`
  expect((await orderFor(otherAdmin, email))[0]).toBe(200)
  await owner('POST', '/admin/identity-provider/domains', { domain })
  expect(await orderFor(owner, email)).toEqual(refused(email))
  expect(await userOf(email)).toMatchObject({ organisation_id: squatting })
})
