import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Portal } from '@trainyard/e2e/src/portal.ts'

const CLASS = 200
const TRAINING = 'Watched'
const LEARNER = 'watched@acme.test'

/** Orders one machine and copies it `count` times in emulator and database. Returns the first name. */
export async function makeMachines(portal: Portal, db: pg.Client, session: string, count: number): Promise<string> {
  const model = await orderModel(portal, db, session)
  await portal.postToEmulator(`/_machines/${model.name}/copies`, { count: count - 1 })
  await db.query(
    `insert into training (organisation_id, name, created_at)
     select organisation_id, name || ' ' || n, created_at from training, generate_series(1, $2::int) n where id = $1`,
    [model.training, Math.ceil(count / CLASS)],
  )
  await db.query(
    `insert into machine_order (organisation_id, training_id, template_name, ordered_by, machine_count, created_at)
     select t.organisation_id, t.id, o.template_name, o.ordered_by, $2, o.created_at
     from machine_order o, training t where o.training_id = $1 and t.name like '${TRAINING} %'`,
    [model.training, CLASS],
  )
  const n = 'copy.n'
  const trainingOfMachine = `name = '${TRAINING} ' || (1 + ${n} / ${CLASS})`
  await copyRows(db, 'machine', 'id', model.id, count - 1, {
    id: idOfCopy(n),
    name: `model.name || '-' || ${n}`,
    email: `${n} || model.email`,
    ordered_for: `${n} || model.email`,
    training_id: `(select id from training where ${trainingOfMachine})`,
    order_id: `(select o.id from machine_order o join training t on t.id = o.training_id where ${trainingOfMachine})`,
  })
  await copyRows(db, 'run', 'machine_id', model.id, count - 1, { machine_id: idOfCopy(n) })
  await db.query('select add_up_counters()')
  await db.query('vacuum (analyze)')
  return model.name
}

const idOfCopy = (n: string): string => `('00000000-0000-7000-8000-' || lpad(${n}::text, 12, '0'))::uuid`

interface Model {
  readonly id: string
  readonly name: string
  readonly training: string
}

async function orderModel({ url }: Portal, db: pg.Client, session: string): Promise<Model> {
  const reply = await fetch(`${url}/api/azure/machines`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      templateName: 'Ubuntu 24.04 Starter',
      email: [LEARNER],
      trainingName: TRAINING,
      allocatedHours: 600,
      createVmCount: 1,
      guacamole: false,
    }),
  })
  if (!reply.ok) throw new Error(`The order failed with status ${reply.status}: ${await reply.text()}`)
  for (let attempt = 0; attempt < 600; attempt++) {
    const { rows } = await db.query<Model>(
      `select m.id, m.name, training_id as training from machine m join operation o on o.machine_id = m.id
       where email = $1 and observed = 'running' and public_ip is not null and reconcile_at is null
         and leased_until is null and o.closed_at is not null`,
      [LEARNER],
    )
    if (rows[0] !== undefined) return rows[0]
    await pause(500)
  }
  throw new Error('The first machine did not start.')
}

/**
 * Copies a row. `overrides` is the SQL of the columns that differ; in it, `copy.n` is the number of the copy, counted from 1.
 */
async function copyRows(
  db: pg.Client,
  table: string,
  key: string,
  value: string,
  count: number,
  overrides: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1
       and is_generated = 'NEVER' and is_identity = 'NO' order by ordinal_position`,
    [table],
  )
  const columns = rows.map(({ name }) => name)
  await db.query(
    `insert into ${table} (${columns.join()}) select ${columns.map((name) => overrides[name] ?? `model.${name}`).join()}
     from ${table} model, generate_series(1, $2::int) as copy (n) where model.${key} = $1`,
    [value, count],
  )
}
