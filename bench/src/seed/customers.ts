import type pg from 'pg'
import { LEARNERS, FIRST_FINISHED, type Size, SUPERADMIN, TRAININGS } from './size.ts'

export async function addCustomers(db: pg.Client, { organisations, busy }: Size): Promise<void> {
  await db.query(
    `insert into organisation (name, gst, credit_limit_paise, created_at)
     select 'Organisation ' || o, '29ABCDE' || lpad(o::text, 4, '0') || 'F1Z5', 100000000, portal_now() - interval '4 years'
     from generate_series(1, $1::int) o`,
    [organisations],
  )
  await db.query(
    `insert into portal_user (email, role, organisation_id)
     select 'admin@' || place, 'admin', id from (
       select id, 'org' || split_part(name, ' ', 2) || '.test' as place from organisation) o
     union all
     select 'learner' || l || '@org' || split_part(o.name, ' ', 2) || '.test', 'user', o.id
     from organisation o, generate_series(1, $1::int) l where split_part(o.name, ' ', 2)::int <= $2`,
    [LEARNERS, busy],
  )
  await db.query(`insert into portal_user (email, role) values ($1, 'superadmin')`, [SUPERADMIN])
  await db.query(`
    insert into template (name, rate_paise, provider, place, size, image, os, licence, cpu, memory, storage, disk)
    values ('Ubuntu small', 1250, 'azure', '{"group": "labs", "location": "southindia", "network": "labs-net"}',
      '{"name": "Standard_DS1_v2"}', '{"id": "Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest"}',
      'Linux', 'none', '1', '3.5 GB', '30 GB', 'SSD')`)
  await db.query(
    `insert into template_assignment (organisation_id, template_id) select o.id, t.id from organisation o, template t`,
  )
  await db.query(
    `insert into training (organisation_id, name, created_at, removed_at)
     select o.id, 'Course ' || n, portal_now() - make_interval(days => case when n < $2 then 53 else 60 * n end),
       case when n < $2 then null else portal_now() - make_interval(days => 60 * n - 52) end
     from organisation o, generate_series(1, $1::int) n where split_part(o.name, ' ', 2)::int <= $3`,
    [TRAININGS.length, FIRST_FINISHED, busy],
  )
  await db.query(
    `insert into machine_order (organisation_id, training_id, template_name, ordered_by, machine_count, created_at)
     select t.organisation_id, t.id, 'Ubuntu small', 'admin', size.machines, t.created_at
     from training t join unnest($1::int[]) with ordinality as size (machines, n) on t.name = 'Course ' || n`,
    [TRAININGS],
  )
  await db.query(
    `insert into security_group (training_id, organisation_id, provider, place, settled_generation, reconcile_at)
     select training.id, organisation_id, provider, place, 0, null from training, template where removed_at is null`,
  )
  await db.query(`
    insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by)
    select id, organisation_id, 'Stop', day, '19:30', 'Asia/Kolkata', (day + time '19:30') at time zone 'Asia/Kolkata', 'admin'
    from training, lateral (select (portal_now() at time zone 'Asia/Kolkata')::date + later as day
      from generate_series(1, 5) later) days
    where removed_at is null`)
}
