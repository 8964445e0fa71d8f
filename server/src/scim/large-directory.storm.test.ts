import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedEnvironment } from '#test/shared.ts'

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

/** Returns the result, and the growth of the process's memory in bytes and the longest pause of its event loop in milliseconds while it ran. */
async function measure<T>(run: () => Promise<T>) {
  const before = process.memoryUsage().rss
  let [peak, longest, last] = [before, 0, performance.now()]
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const result = await run()
  await pause(10)
  clearInterval(timer)
  return { result, growth: peak - before, longest }
}

test(
  '200 groups of 20,000 members and 100,000 users are read in bounded time and memory',
  { timeout: 600_000 },
  async () => {
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

    const bounded = async (path: string, seconds: number) => {
      const { result, growth, longest } = await measure(() => Promise.all(Array.from({ length: 3 }, () => get(path))))
      const slowest = Math.max(...result.map(({ milliseconds }) => milliseconds))
      const { status, body } = result[0]!
      const figures = {
        slowest: Math.round(slowest),
        growth: Math.round(growth / 2 ** 20),
        longest: Math.round(longest),
      }
      process.stdout.write(`${decodeURIComponent(path).slice(0, 70)}: ${JSON.stringify(figures)}\n`)
      expect({ path, ok: slowest < seconds * 1_000 && growth < 400 * 2 ** 20 && longest < 1_500, figures }).toEqual({
        path,
        ok: true,
        figures,
      })
      return { status, ...body }
    }
    const filter = (text: string) => `filter=${encodeURIComponent(text)}`
    expect(await bounded('/Groups?count=200', 20)).toMatchObject({ totalResults: GROUPS, itemsPerPage: 1 })
    expect(await bounded('/Groups?count=200&excludedAttributes=members', 5)).toMatchObject({ itemsPerPage: GROUPS })
    const [member] = (await get('/Groups?count=1')).body.Resources[0].members
    expect(await bounded(`/Groups?attributes=id&${filter(`members eq "${member.value}"`)}`, 10)).toMatchObject({
      totalResults: GROUPS,
    })
    expect(await bounded(`/Groups?${filter('members.display co "e"')}`, 20)).toMatchObject({
      scimType: 'tooMany',
    })
    expect(await bounded(`/Users?count=200`, 20)).toMatchObject({ totalResults: USERS })
    const chain = Array.from({ length: 90 }, (_, i) => `title co "x${i}"`).join(' or ')
    expect(await bounded(`/Users?attributes=id&${filter(chain)}`, 60)).toHaveProperty('totalResults')
    expect(await bounded(`/Users?${filter('userName co "9" or displayName co "9" or id co "9"')}`, 60)).toHaveProperty(
      'totalResults',
    )
  },
)
