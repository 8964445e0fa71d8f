import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { cleanUp } from '@trainyard/platform/server/run/clean-up.ts'

const { db } = await sharedDatabase({ size: 4, as: 'app' })
beforeAll(async () => {
  await sql`
    with learner as (
      insert into portal_user (email, role, organisation_id, password_hash)
      values ('sandbox@portal.test', 'sandboxuser', null, null) returning id
    ), sessions as (
      insert into session (token_hash, user_id, expires_at)
      select sha256(days::text::bytea), id, portal_now() + make_interval(days => days)
      from learner, unnest(array[-1, 1]) as days
    )
    insert into invitation (user_id, expires_at)
    select id, portal_now() + make_interval(days => days) from learner, unnest(array[-31, -29, 1]) as days`.execute(db)
  await sql`
    insert into worker_pulse (worker, seen_at) values
      ('gone', portal_now() - interval '25 hours'), ('silent', portal_now() - interval '23 hours')`.execute(db)
  await sql`
    insert into call_bucket (name, tokens, counted_at, closed_until) values
      ('full', 1, portal_now() - interval '25 hours', '-infinity'),
      ('in use', 1, portal_now() - interval '23 hours', '-infinity'),
      ('closed', 1, portal_now() - interval '25 hours', portal_now() + interval '1 hour')`.execute(db)
  await sql`
    with asking as (
      insert into portal_user (email, role, organisation_id, password_hash)
      values ('asks@portal.test', 'sandboxuser', null, null) returning id
    ), reset as (
      insert into second_factor_reset (user_id, asked_by, expires_at)
      select u.id, asking.id, portal_now() - interval '1 minute' from portal_user u, asking where u.email = 'sandbox@portal.test'
      union all
      select asking.id, u.id, portal_now() + interval '1 minute' from portal_user u, asking where u.email = 'sandbox@portal.test'
    ), replies as (
      insert into stored_reply (actor_id, key, call, body_hash, created_at)
      select id, hours || ' hours', 'user.me', '', portal_now() - make_interval(hours => hours)
      from asking, unnest(array[47, 49]) as hours
    )
    insert into challenge (token_hash, purpose, bound_to, expires_at)
    select sha256(minutes::text::bytea), 'passkey login', '', portal_now() + make_interval(mins => minutes)
    from unnest(array[-1, 1]) as minutes`.execute(db)
  await sql`
    with provider as (
      insert into organisation (name) values ('Acme') returning id
    ), settings as (
      insert into identity_provider (organisation_id, issuer, client_id, client_secret, signs_out_there)
      select id, 'https://login.acme.test', 'portal', '', false from provider returning organisation_id
    )
    insert into provider_sign_in (token_hash, organisation_id, expires_at)
    select sha256(minutes::text::bytea), organisation_id, portal_now() + make_interval(mins => minutes)
    from settings, unnest(array[-1, 1]) as minutes`.execute(db)
})
const remaining = async () => {
  const { rows } = await sql`select (select count(*)::int from session) as sessions,
    (select count(*)::int from invitation) as invitations,
    (select count(*)::int from challenge) as challenges, (select count(*)::int from second_factor_reset) as resets,
    (select count(*)::int from provider_sign_in) as "signIns", (select array_agg(key) from stored_reply) as replies,
    (select array_agg(worker order by worker) from worker_pulse) as workers,
    (select array_agg(name order by name) from call_bucket) as buckets`.execute(db)
  return rows[0]
}

test('deletes expired rows: sessions at once, workers and buckets after a day, invitations after a month', async () => {
  await cleanUp(db)
  const stays = {
    sessions: 1,
    invitations: 2,
    challenges: 1,
    resets: 1,
    signIns: 1,
    replies: ['47 hours'],
    workers: ['silent'],
    buckets: ['closed', 'in use'],
  }
  expect(await remaining()).toEqual(stays)
})
