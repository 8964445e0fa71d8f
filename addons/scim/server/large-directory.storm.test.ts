import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const GROUPS = 200
const MEMBERS = 20_000
const USERS = 100_000

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const { token } = (await admin('POST', '/admin/scim/tokens', { name: 'Large', days: 30 })).body

interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- the type of a reply depends on the request
  readonly body: any
  readonly milliseconds: number
}

async function get(path: string): Promise<Reply> {
  const started = performance.now()
  const reply = await fetch(`${env.portal.url}/scim/v2${path}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: reply.status, body: await reply.json(), milliseconds: performance.now() - started }
}

/** Returns the result, and the growth of the memory of the process in MiB while it ran. */
async function measure<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly growth: number }> {
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  const result = await run()
  clearInterval(timer)
  return { result, growth: Math.round((peak - before) / 2 ** 20) }
}

test('200 groups of 20,000 members and 100,000 users are read in bounded memory', { timeout: 600_000 }, async () => {
  await sql`
      with created as (
        insert into scim_group (organisation_id, display_name)
        select ${acme}, 'Group ' || i from generate_series(1, ${GROUPS}::integer) i returning id)
      insert into scim_group_member (group_id, organisation_id, value)
      select created.id, ${acme}, md5(i::text)::uuid::text from created, generate_series(1, ${MEMBERS}::integer) i`.execute(
    env.db,
  )
  await sql`
      insert into scim_user (id, organisation_id, user_name, active, emails, data)
      select md5(i::text)::uuid, ${acme}, 'u' || i, true, '{}',
        jsonb_build_object('userName', 'u' || i, 'displayName', 'User ' || i, 'active', true)
      from generate_series(1, ${USERS}::integer) i`.execute(env.db)
  await sql`analyze`.execute(env.db)

  /** Sends a request three times concurrently. Prints the duration, which depends on the computer. */
  const bounded = async (path: string) => {
    const { result, growth } = await measure(() => Promise.all(Array.from({ length: 3 }, () => get(path))))
    const slowest = Math.round(Math.max(...result.map(({ milliseconds }) => milliseconds)))
    process.stdout.write(`${decodeURIComponent(path).slice(0, 70)}: ${slowest} ms, ${growth} MiB\n`)
    expect(growth).toBeLessThan(400)
    const { status, body } = result[0]!
    return { status, ...body }
  }
  const filter = (text: string) => `filter=${encodeURIComponent(text)}`
  expect(await bounded('/Groups?count=200')).toMatchObject({ totalResults: GROUPS, itemsPerPage: 1 })
  expect(await bounded('/Groups?count=200&excludedAttributes=members')).toMatchObject({ itemsPerPage: GROUPS })
  const [member] = (await get('/Groups?count=1')).body.Resources[0].members
  expect(await bounded(`/Groups?attributes=id&${filter(`members eq "${member.value}"`)}`)).toMatchObject({
    totalResults: GROUPS,
  })
  expect(await bounded(`/Groups?${filter('members.display co "e"')}`)).toMatchObject({
    scimType: 'tooMany',
  })
  expect(await bounded(`/Users?count=200`)).toMatchObject({ totalResults: USERS })
  const chain = Array.from({ length: 90 }, (_, i) => `title co "x${i}"`).join(' or ')
  expect(await bounded(`/Users?attributes=id&${filter(chain)}`)).toHaveProperty('totalResults')
  expect(await bounded(`/Users?${filter('userName co "9" or displayName co "9" or id co "9"')}`)).toHaveProperty(
    'totalResults',
  )
})
