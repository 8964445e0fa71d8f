import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setPortalClock } from '#test/clock.ts'
import { brokenInvariants } from '../invariants/check.ts'
import { machinesOf, order, people } from '#test/orders.ts'
import { clockWatch } from './clock.ts'
import { until } from '#test/until.ts'
import { sharedEnvironment } from '#test/shared.ts'

const TRAINING = 'Clocks'
const TWO_HOURS = 7_200

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))

const statuses = async () => (await machinesOf(admin, TRAINING)).map(({ status }) => status)

const clockOffset = async () => {
  const { rows } = await sql<{ what: string }>`
    select 'a task: ' || name as what from task where name in ('compare machines with the provider', 'delete AWS orphans')
      and (reconcile_at > portal_now() + interval '11 minutes'
        or greatest(started_at, ended_at) > portal_now() or leased_until > portal_now() + interval '2 minutes')
    union all select 'the full sweep' from whole_sweep where due_at > portal_now() + interval '10 minutes'
    union all select 'the next attempt of a machine' from machine where reconcile_at > portal_now() + interval '2 minutes'
    union all select 'the lease of a machine' from machine where leased_until > portal_now() + interval '2 minutes'
    union all select 'the creation of a machine' from machine where created_at > portal_now()
    union all select 'a run' from run where started_at > portal_now() or stopped_at > portal_now()
    union all select 'a heartbeat' from worker_pulse where seen_at > portal_now()`.execute(env.db)
  return rows.map(({ what }) => what)
}

test(
  'reports a clock that jumps two hours ahead and back, after which nothing waits for those hours',
  { tags: ['storm'] },
  async () => {
    // Lost replies test commands whose timestamps come from the wrong clock.
    for (const operation of ['VirtualMachines_Start', 'VirtualMachines_Deallocate']) {
      await env.control('POST', '/_faults', { kind: 'loseReply', operation, every: 2 })
    }
    await env.worker()
    await admin('POST', '/azure/machines', order(TRAINING, people(4)))
    await until('all run', statuses, (all) => all.every((status) => status === 'Running'))

    await setPortalClock(env.db, { ahead: TWO_HOURS })
    await until(
      'the jump ahead is told',
      async () => env.messages,
      (reported) => reported.some((sentence) => /^The clock went ahead by 7,?\d+ s/.test(sentence)),
    )
    const machineRefs = (await machinesOf(admin, TRAINING)).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    const power = async (operation: 0 | 1) => {
      expect((await admin('PATCH', '/azure/machines', [{ operation }, ...machineRefs])).status).toBe(200)
    }
    await power(0)
    await until('all are stopped', statuses, (all) => all.every((status) => status === 'Stopped'))
    await admin('POST', '/azure/machines', order(TRAINING, ['late@acme.test']))
    await power(1)
    await until(
      'one runs that was ordered then',
      statuses,
      (all) => all.filter((s) => s === 'Running').length > 2,
      30_000,
    )

    await setPortalClock(env.db, { ahead: 0 })
    expect(await clockOffset()).not.toEqual([])
    await until(
      'nothing lies ahead',
      async () => [...(await clockOffset()), ...env.bugs.map(String)],
      (found) => found.length === 0,
      20_000,
    )
    await until(
      'the jump back is told',
      async () => env.messages,
      (reported) => reported.some((sentence) => /^The clock went back by 7,?\d+ s\. /.test(sentence)),
    )
    const { body } = await admin('GET', '/health')
    expect(body.clockJump).toMatchObject({ at: expect.any(String) })
    expect(Math.abs(body.clockJump.seconds + TWO_HOURS)).toBeLessThan(30)

    await env.control('DELETE', '/_faults')
    await until('all run again', statuses, (all) => all.every((status) => status === 'Running'))
    await until(
      'all is quiet',
      () => brokenInvariants(env.db, { quiet: true }),
      (broken) => broken.length === 0,
      30_000,
    )
    expect(env.bugs).toEqual([])
  },
)

test('reports each jump once, and nothing while the clock is steady', async () => {
  const reported: string[] = []
  const watches = [1, 2].map(() => clockWatch(env.db, (sentence) => void reported.push(sentence)))
  const checkClock = async () => {
    for (const watch of watches) await watch()
  }
  await sql`update portal_clock set jumped_at = null, jumped_by = null, seen_at = portal_now()`.execute(env.db)
  await checkClock()
  await checkClock()
  expect(reported).toEqual([])
  await setPortalClock(env.db, { ahead: 3 * TWO_HOURS })
  await checkClock()
  await checkClock()
  expect(reported).toEqual([expect.stringMatching(/^The clock went ahead by 21,?\d+ s/)])
  await setPortalClock(env.db, { ahead: 2 * TWO_HOURS })
  await checkClock()
  await checkClock()
  expect(reported.slice(1)).toEqual([expect.stringMatching(/^The clock went back by 7,?\d+ s/)])
})
