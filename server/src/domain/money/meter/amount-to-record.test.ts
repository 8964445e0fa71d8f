import { describe, expect, test } from 'vitest'
import { brokenInvariants } from '../../../invariants/check.ts'
import { machinesOf, order, people } from '#test/orders.ts'
import { until } from '#test/until.ts'
import { sharedEnvironment } from '#test/shared.ts'

const TRAINING = 'Audited'
const DAY = 24 * 3600

const env = await sharedEnvironment()
// The hours that pass here lie within one day of UTC, and so does what is compared as a day.
await env.stepToHour(6)
const acme = await env.organisation('Acme')
const admin = await env.as('admin', 'admin@acme.test', acme)
const superadmin = await env.as('superadmin', 'root@portal.test', null)
await env.worker()
await admin('POST', '/azure/machines', order(TRAINING, people(3)))
const up = await until(
  'running',
  () => machinesOf(admin, TRAINING),
  (all) => all.length === 3 && all.every((m) => m.isRunning),
)
const names = up.map(({ name }) => name)
await env.step(1000)
const [first] = up
await admin('PATCH', '/azure/machines', [{ operation: 0 }, { name: first!.name, resourceGroup: first!.resourceGroup }])
await until(
  'one stopped',
  () => machinesOf(admin, TRAINING),
  (all) => all.some((m) => !m.isRunning && m.status === 'Stopped'),
)
await env.step(777)

describe('from the amount to what the provider said', () => {
  const withLines = async () => (await admin('GET', `/azure/billing?trainingName=${TRAINING}&lines=yes`)).body
  const runs = async (name: string) => (await admin('GET', `/azure/billing/runs?vmName=${name}`)).body

  test('the lines add up to the amount on the billing screen, and the runs to each line', async () => {
    // The clock stands still between two seconds no longer than it takes: asked again until all fell into one.
    const { bill, line, each } = await until(
      'one second',
      async () => {
        const bill = (await admin('GET', `/azure/billing?trainingName=${TRAINING}`)).body
        const line = await withLines()
        const each = await Promise.all(names.map(runs))
        const after = (await admin('GET', `/azure/billing?trainingName=${TRAINING}`)).body
        return { bill, line, each, same: bill.Amount === after.Amount && bill.Duration === after.Duration }
      },
      ({ same, line, bill }) => same && line.Amount === bill.Amount,
    )
    expect(line.lines.map(({ machine }: { machine: string }) => machine)).toEqual(names)
    expect(line).toMatchObject(bill)
    expect(bill.Amount).toBeGreaterThan(0)
    const sum = (of: readonly { amountPaise: number }[]) =>
      of.reduce((total, { amountPaise }) => total + amountPaise, 0)
    expect(sum(line.lines)).toBe(Math.round(bill.Amount * 100))
    for (const { amountPaise, runs: those } of each) {
      const exact = those.reduce((total: number, { paiseSeconds }: { paiseSeconds: number }) => total + paiseSeconds, 0)
      expect(Math.floor((exact * 2 + 3600) / 7200)).toBe(amountPaise)
    }
  })

  test('a run names what opened and closed it, at the instants of the provider’s own record', async () => {
    const { machines } = await env.truth()
    for (const name of names) {
      const { billed } = machines.find((machine) => machine.name === name)!
      const { runs: those } = await runs(name)
      expect(those.map(({ start, stop }: { start: string; stop: string | null }) => [start, stop])).toEqual(
        billed.map(({ from, to }) => [new Date(from).toISOString(), to === null ? null : new Date(to).toISOString()]),
      )
      for (const { opened, closed, start, stop } of those) {
        expect(opened).toEqual({ cause: 'seen running', told: start })
        expect(closed).toEqual(stop === null ? null : { cause: 'stop accepted', told: stop })
      }
    }
  })

  test('asked again about what is over, the answer is the same to the byte', async () => {
    const stopped = (await machinesOf(admin, TRAINING)).find(({ status }) => status === 'Stopped')!
    const once = JSON.stringify((await runs(stopped.name)).runs)
    await env.step(3 * 3600)
    expect(JSON.stringify((await runs(stopped.name)).runs)).toBe(once)
    await superadmin('DELETE', '/admin/logs', { trainingName: TRAINING })
    expect(JSON.stringify((await runs(stopped.name)).runs)).toBe(once)
  })

  test('each day that is over is compared once with the provider’s record, and a difference is listed, not mended', async () => {
    const compared = async () => (await superadmin('GET', '/admin/reconciliation')).body.days
    await env.step(DAY)
    // At the start the day before was compared, on which nothing was here yet.
    const [yesterday] = await until('compared', compared, (days) => days[0]?.machines > 0)
    expect(yesterday).toMatchObject({ machines: 3, differences: [] })
    expect(yesterday.secondsHere).toBe(yesterday.secondsThere)
    expect(yesterday.secondsHere).toBeGreaterThan(0)

    // The far end billed a machine that we never had, and a run of ours is half an hour short.
    const running = (await machinesOf(admin, TRAINING)).find((machine) => machine.isRunning)!
    await env.step(3600)
    const gap = Math.floor(Date.parse(yesterday.comparedAt) / 1000) * 1000
    const open = await env.db
      .updateTable('run')
      .set({ stopped_at: new Date(gap), closed_by: 'seen stopped' })
      .where('stopped_at', 'is', null)
      .where('machine_id', '=', running._id as never)
      .returning(['machine_id', 'organisation_id', 'paise_per_hour'])
      .executeTakeFirstOrThrow()
    await env.db
      .insertInto('run')
      .values({ ...open, started_at: new Date(gap + 30 * 60_000) })
      .execute()
    const stretches = async () =>
      (await runs(running.name)).runs.map(({ start, stop }: { start: string; stop: string | null }) => [start, stop])
    const before = await stretches()
    const known = (await compared()).length
    await env.step(DAY)
    const [latest] = await until('compared again', compared, (days) => days.length > known)
    expect(latest.differences).toMatchObject([{ machine: running.name, organization: 'Acme' }])
    expect(latest.differences[0].secondsThere).toBeGreaterThan(latest.differences[0].secondsHere)
    expect(await stretches()).toEqual(before)
    const dates = (await compared()).map(({ date }: { date: string }) => date)
    expect(new Set(dates).size).toBe(dates.length)
  })

  test('a run that overlaps another or doubles it can not be stored', async () => {
    const run = await env.db.selectFrom('run').selectAll().where('stopped_at', 'is not', null).executeTakeFirstOrThrow()
    const { id: _, ...same } = run
    await expect(env.db.insertInto('run').values(same).execute()).rejects.toThrow(/^runs of machine .* overlap$/)
    expect(await brokenInvariants(env.db, { quiet: false })).not.toContainEqual(expect.objectContaining({ name: 'M1' }))
  })
})
