import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedPortal } from '../../test/shared.ts'
import { hashToken } from '../core/tokens.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'

const LEARNERS = 400
const PASSWORD = 'the password of a class'

const portal = await sharedPortal(
  { DATABASE_CONNECTIONS: '16', RATE_LIMIT_FACTOR: '1', TRUSTED_PROXIES: 'loopback' },
  { deadlineFactor: 1 },
)
const headers = { 'x-forwarded-for': '203.0.113.7' }
const tokens = Array.from({ length: LEARNERS }, (_, n) => `learner-${n}`)
await sql`
  with school as (insert into organisation (name) values ('School') returning id),
  person as (insert into portal_user (email, role, organisation_id, password_hash)
    select 'learner' || n || '@class.test', 'user', (select id from school), ${await hashPassword(PASSWORD)}
    from generate_series(1, ${LEARNERS}::int) n returning id)
  insert into session (token_hash, user_id, expires_at)
  select hash, id, portal_now() + interval '1 hour'
  from (select id, row_number() over () as n from person) p
    join unnest(${tokens.map(hashToken)}::bytea[]) with ordinality as t (hash, n) using (n)`.execute(portal.owner)

/** Makes the calls of all learners at once, and those of a learner one after another. Returns the number per status. */
async function statusesOf(calls: (learner: number) => readonly (() => Promise<Response>)[]) {
  const counts: Record<number, number> = {}
  await Promise.all(
    tokens.map(async (_token, learner) => {
      for (const call of calls(learner)) {
        const { status } = await call()
        counts[status] = (counts[status] ?? 0) + 1
      }
    }),
  )
  return counts
}

test(
  'a class behind one address opens the portal of a process that has just started',
  { tags: ['storm'] },
  async () => {
    const open = (path: string, uid: string) => () => portal.request('GET', path, { uid, headers })
    const paths = ['/user/keys', '/notifications', '/user/search?text=vm']
    const counts = await statusesOf((learner) => paths.map((path) => open(path, tokens[learner]!)))
    expect(counts).toEqual({ 200: 3 * LEARNERS })
  },
)

test('a class behind one address signs in at once', { tags: ['storm'] }, async () => {
  const signIn = (learner: number) => () =>
    portal.request('POST', '/user/login', {
      headers,
      body: { email: `learner${learner + 1}@class.test`, password: PASSWORD },
    })
  expect(await statusesOf((learner) => [signIn(learner)])).toEqual({ 200: LEARNERS })
})
