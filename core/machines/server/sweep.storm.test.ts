import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sweep } from './sweep.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

/** Page size of the emulator's lists. */
const PAGE = 200
/** Number of machines. The long form, `npm run storm`, fills fifty pages. */
const MANY = process.env['STORM'] === 'long' ? 10_000 : 2_000
const COPIES = sql`select id from machine where id::text like '00000000-0000-7000-8000-%'`

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
await env.control('POST', '/_quotas', { cores: 100_000 })
const worker = await env.worker({ sweepIdle: 3600 })
const [first] = await orderAndWait('Hundred', 1)
await worker.stop()
await addCopies(first!, 99, 99)

async function orderAndWait(training: string, count: number) {
  const emails = people(count).map((email) => `${training.toLowerCase()}.${email}`)
  expect((await admin('POST', '/azure/machines', order(training, emails))).status).toBe(200)
  return until(
    `${training} runs`,
    () => machinesOf(admin, training),
    (list) => list.length === count && list.every(({ status, publicIp }) => status === 'Running' && publicIp !== null),
    300_000,
  )
}

/**
 * Copies a machine, at the provider and as rows with matching names and tags.
 * @param running number of copies with an open run; the provider is the first to report that the other copies run
 */
async function addCopies(model: { name: string; _id: string }, count: number, running: number): Promise<void> {
  expect((await env.control('POST', `/_machines/${model.name}/copies`, { count })).status).toBe(201)
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'machine'
      and is_generated = 'NEVER' and is_identity = 'NO'`.execute(env.db)
  const own: Readonly<Record<string, string>> = {
    id: 'copy_id',
    name: `name || '-' || n`,
    email: `n || email`,
    ordered_for: `n || email`,
    admin_password: 'own_password',
  }
  const columns = rows.map(({ name }) => name)
  const values = columns.map((column) => own[column] ?? column)
  const ids = Array.from({ length: count }, (_, i) => `00000000-0000-7000-8000-${String(i + 1).padStart(12, '0')}`)
  // A sealed password can be decrypted only for its own machine.
  const passwords = ids.map((id) => env.parts.seal.seal('Correct-Horse-7', id))
  await sql`
    insert into machine (${sql.raw(columns.join())}) select ${sql.raw(values.join())}
    from machine, unnest(${ids}::uuid[], ${passwords}::bytea[]) with ordinality copy (copy_id, own_password, n)
    where id = ${model._id}`.execute(env.db)
  await sql`
    insert into run (machine_id, organisation_id, started_at, paise_per_hour)
    select copy.id, run.organisation_id, run.started_at, run.paise_per_hour
    from run, (${COPIES} order by id limit ${running}) copy where run.machine_id = ${model._id}`.execute(env.db)
  await updateRunSums(env.db)
}

/** Lists alone detect changes that were made outside the portal. The emulator's call counts prove this. */
describe('a sweep', () => {
  const { signal } = new AbortController()
  const runSweep = (scope: 'states' | 'everything' = 'everything') => sweep(env.db, env.parts.clouds, scope, signal)
  const machines = () => machinesOf(admin, 'Hundred')

  async function callsDuring(callback: () => Promise<unknown>): Promise<Record<string, number>> {
    const count = async () => (await env.control('GET', '/_truth?part=calls')).body.calls as Record<string, number>
    const before = await count()
    await callback()
    const after = await count()
    const more = Object.entries(after).map(([name, calls]) => [name, calls - (before[name] ?? 0)] as const)
    return Object.fromEntries(more.filter(([, calls]) => calls > 0))
  }

  test('requests only the pages of its lists and nothing per machine', async () => {
    expect(await callsDuring(() => runSweep())).toEqual({ VirtualMachines_ListAll: 2 })
    expect(await callsDuring(() => runSweep('states'))).toEqual({ VirtualMachines_ListAll: 1 })
  })

  test('notices 100 machines stopped outside the portal from its list alone', async () => {
    const names = (await machines()).map(({ name }) => name)
    await Promise.all(names.map((name) => env.control('POST', `/_machines/${name}/deallocate`)))
    expect(await callsDuring(() => runSweep('states'))).toEqual({ VirtualMachines_ListAll: 1 })
    expect((await machines()).map(({ status }) => status)).toEqual(names.map(() => 'Stopped'))
  })

  test('keeps the state of machines without a power state in the list, and reads a few individually', async () => {
    await env.control('POST', '/_faults', { kind: 'hidePower', operation: 'VirtualMachines_ListAll' })
    expect(await callsDuring(() => runSweep('states'))).toEqual({ VirtualMachines_ListAll: 1 })
    expect(await callsDuring(() => runSweep())).toEqual({
      VirtualMachines_ListAll: 2,
      VirtualMachines_Get: 16,
      PublicIPAddresses_Get: 16,
    })
    await env.control('DELETE', '/_faults')
    expect((await machines()).map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 'Stopped'))
  })

  test('notices 100 machines deleted outside the portal within two sweeps, reading each once', async () => {
    await Promise.all((await machines()).map(({ name }) => env.control('POST', `/_machines/${name}/vanish`)))
    const calls = await callsDuring(async () => {
      await runSweep()
      await runSweep()
    })
    expect(calls).toEqual({ VirtualMachines_Get: 100, VirtualMachines_ListAll: 4 })
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from machine where ended is null or desired <> 'gone'`.execute(env.db)
    expect(rows[0]!.count).toBe(0)
  })

  test('finds orphans although only the plain list has tags', async () => {
    const worker = await env.worker({ sweepIdle: 3600 })
    await orderAndWait('Orphans', 2)
    await worker.stop()
    const [orphan] = await machinesOf(admin, 'Orphans')
    await sql`delete from run where machine_id = ${orphan!._id}`.execute(env.db)
    await sql`delete from machine where id = ${orphan!._id}`.execute(env.db)
    await runSweep('states')
    await runSweep()
    const orphans = () => env.db.selectFrom('orphan').select(['name', 'tag']).where('gone_at', 'is', null).execute()
    expect(await orphans()).toEqual([{ name: orphan!.name, tag: orphan!._id }])
    await env.control('POST', `/_machines/${orphan!.name}/vanish`)
    await runSweep()
    expect(await orphans()).toEqual([])
  })

  test("notices a stop outside the portal, although no list contains the machine's power state", async () => {
    const [machine] = await machinesOf(admin, 'Orphans')
    await env.control('POST', '/_faults', { kind: 'hidePower', operation: 'VirtualMachines_ListAll' })
    await env.control('POST', `/_machines/${machine!.name}/deallocate`)
    const calls = await callsDuring(() => runSweep())
    await env.control('DELETE', '/_faults')
    expect(calls).toEqual({ VirtualMachines_ListAll: 2, VirtualMachines_Get: 1, PublicIPAddresses_Get: 1 })
    expect((await machinesOf(admin, 'Orphans')).map(({ status }) => status)).toEqual(['Stopped'])
  })

  test('does not change the scheduled read of a failed deletion', async () => {
    const [machine] = await machinesOf(admin, 'Orphans')
    const { rows } = await sql<{ reconcile_at: Date }>`
      update machine set desired = 'gone', observed = 'changing', command = 'delete', command_accepted = true,
        command_at = portal_now(), reconcile_at = portal_now() + interval '5 s'
      where id = ${machine!._id} returning reconcile_at`.execute(env.db)
    await runSweep('states')
    const { reconcile_at } = await env.db
      .selectFrom('machine')
      .select('reconcile_at')
      .where('name', '=', machine!.name)
      .executeTakeFirstOrThrow()
    expect(reconcile_at).toEqual(rows[0]!.reconcile_at)
  })

  test('requests only the pages of its lists, also for thousands of machines', async () => {
    const worker = await env.worker({ sweepIdle: 3600 })
    const [model] = await orderAndWait('Many', 1)
    await worker.stop()
    // The terminated machines of the first hundred have the IDs that the copies will get.
    await sql`delete from run where machine_id in (${COPIES})`.execute(env.db)
    await sql`delete from machine where id in (${COPIES})`.execute(env.db)
    await addCopies(model!, MANY - 1, 0)
    const { machines: ever } = (await env.control('GET', '/_truth?part=machines')).body
    const existing = (ever as { exists: boolean }[]).filter(({ exists }) => exists).length
    expect(existing).toBeGreaterThanOrEqual(MANY)
    const began = performance.now()
    expect(await callsDuring(() => runSweep())).toEqual({ VirtualMachines_ListAll: 2 * Math.ceil(existing / PAGE) })
    process.stdout.write(`a sweep over ${existing} machines: ${(performance.now() - began).toFixed(0)} ms\n`)
    expect(await runningIn('Many')).toBe(MANY)
  })

  async function runningIn(training: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from machine join training on training.id = machine.training_id
      where training.name = ${training} and observed = 'running' and last_error is null`.execute(env.db)
    return rows[0]!.count
  }
})
