import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { LEARNERS, MACHINES, type Size } from './size.ts'

const CHUNK = 10_000
const PER_THOUSAND = { running: 450, failing: 3, usedUp: 10 }

/** Passwords are encrypted with the installation's own keys, because the list of machines decrypts them. */
export async function addMachines(db: pg.Client, { busy }: Size, seal: Seal): Promise<void> {
  await db.query('create temporary table secret (number bigint primary key, id uuid, password bytea)')
  for (let first = 1; first <= busy * MACHINES; first += CHUNK) {
    const secrets = Array.from({ length: Math.min(CHUNK, busy * MACHINES - first + 1) }, (_, i) => {
      const id = randomUUID()
      return { number: first + i, id, password: seal.seal(`Pass-${first + i}`, id) }
    })
    await db.query('insert into secret select * from unnest($1::bigint[], $2::uuid[], $3::bytea[])', [
      secrets.map(({ number }) => number),
      secrets.map(({ id }) => id),
      secrets.map(({ password }) => password),
    ])
  }
  await db.query(
    `with place as (
       select o.*, t.removed_at is not null as is_finished, n, row_number() over (order by n, o.id) as number
       from machine_order o join training t on t.id = o.training_id, generate_series(1, o.machine_count) n
     ), classified as (
       select place.*, secret.id as machine_id, secret.password, bucket < $2 and not is_finished as running,
         bucket between 900 and 899 + $3 and not is_finished as failing, bucket >= 1000 - $4 and not is_finished as used_up, bucket
       from place join secret using (number), lateral (select number * 7919 % 1000 as bucket) f
     )
     insert into machine (id, number, name, organisation_id, training_id, order_id, email, ordered_for, provider, place,
       size, image, os, licence, admin_username, admin_password, guacamole, paise_per_hour, allotted_minutes,
       created_at, desired, observed, observed_at, first_seen_at, public_ip, terminated_at, reconcile_at, attempts, last_error)
     overriding system value
     select machine_id, number, 'course-' || number, organisation_id, training_id, order_id,
       learner, learner, provider, place, size, image, 'Linux', 'none', 'learner',
       case when not is_finished then password end, number % 2 = 0, 1250 + number % 2 * -500 + 500,
       case when used_up then 6000 when bucket % 10 < 7 then 30000 end,
       made.created_at, case when is_finished then 'gone' when running or failing then 'running' else 'stopped' end,
       case when is_finished then 'absent' when running then 'running' else 'stopped' end, portal_now() - interval '1 hour',
       made.created_at + interval '5 minutes', case when is_finished then null else '20.1.' || number % 65536 / 256 || '.' || number % 256 end,
       case when is_finished then made.created_at + interval '52 days' end, case when failing then portal_now() + interval '1 year' end,
       case when failing then 4 else 0 end, case when failing then 'The region has no room for this size at present.' end
     from (select f.*, f.id as order_id, 'learner' || 1 + (n + (hashtext(f.training_id::text) & 255)) % $1
         || '@org' || split_part(o.name, ' ', 2) || '.test' as learner
       from classified f join organisation o on o.id = f.organisation_id) made, template`,
    [LEARNERS, PER_THOUSAND.running, PER_THOUSAND.failing, PER_THOUSAND.usedUp],
  )
  await db.query(`select setval(pg_get_serial_sequence('machine', 'number'), max(number)) from machine`)
}
