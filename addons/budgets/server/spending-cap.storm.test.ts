import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { untilIdle } from '@trainyard/platform/test/idle.ts'

/** Many machines reach a spending cap together, with Azure's real durations; the long form uses 200 machines. */
const LONG = process.env.STORM === 'long'
const MACHINES = LONG ? 200 : 6
/** Step size of the clock in seconds: while machines are created, and around the end of the budget. */
const COARSE = LONG ? 5 : 20
const FINE = 2.5

const env = await sharedEnvironment({ latency: 1 })
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme'))
await env.control('POST', '/_quotas', { cores: 1000 })
await env.worker({ concurrency: 24, leaseSeconds: 60, sweepBusy: 2, sweepIdle: 20 })

async function passes(seconds: number, until: () => Promise<boolean>): Promise<void> {
  for (;;) {
    await untilIdle(env.db)
    if (await until()) return
    await env.step(seconds)
    if (!LONG) await sql`select pg_notify('machine_due', ''), pg_notify('task_due', '')`.execute(env.db)
  }
}

test(
  `stops ${MACHINES} machines within 60 s of the budget’s end`,
  async () => {
    expect((await admin('POST', '/azure/machines', order('School', people(MACHINES)))).status).toBe(200)
    await passes(COARSE, async () => {
      const machines = await machinesOf(admin, 'School')
      return machines.length === MACHINES && machines.every(({ status }) => status === 'Running')
    })
    const { Amount } = (await admin('GET', '/azure/billing?trainingName=School')).body
    const perHour = 1_750 * MACHINES
    const limit = Math.round(Amount * 100) + Math.round(perHour / 12)
    await admin('POST', '/budgets', { trainingName: 'School', amount: limit / 100, spendingCap: true })
    await untilIdle(env.db)
    await env.step(280)
    await passes(FINE, async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from run where stopped_at is null`.execute(env.db)
      return rows[0]!.open === 0
    })

    const { rows } = await sql<{ start: Date; stop: Date; cause: string }>`
      select started_at as start, closed_told_at as stop, closed_by as cause from run`.execute(env.db)
    expect(rows).toHaveLength(MACHINES)
    expect(new Set(rows.map(({ cause }) => cause))).toEqual(new Set(['stop accepted']))
    const costAt = (instant: number) =>
      rows.reduce((sum, { start, stop }) => {
        return sum + (Math.max(0, Math.min(instant, stop.getTime()) - start.getTime()) / 3_600_000) * 1_750
      }, 0)
    let [early, late] = [
      Math.min(...rows.map(({ start }) => start.getTime())),
      Math.max(...rows.map(({ stop }) => stop.getTime())),
    ]
    const last = late
    while (late - early > 100) {
      const middle = (early + late) / 2
      if (costAt(middle) < limit) early = middle
      else late = middle
    }
    const delays = rows.map(({ stop }) => (stop.getTime() - late) / 1000)
    const over = costAt(last) - limit
    const summary = `first after ${Math.min(...delays).toFixed(1)} s, last after ${Math.max(...delays).toFixed(1)} s`
    process.stdout.write(
      `spending cap of ${MACHINES} machines: ${summary}, over by ${over.toFixed(0)} paise of ${limit}\n`,
    )
    expect(Math.max(...delays)).toBeLessThanOrEqual(60)
    expect(over).toBeLessThanOrEqual((perHour * 60) / 3600)
    expect(env.bugs).toEqual([])
  },
  LONG ? 900_000 : 120_000,
)
