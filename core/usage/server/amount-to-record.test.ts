import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { runDifferences } from '@trainyard/machines/server/compare-machines.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const TRAINING = 'Audited'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const superadmin = await env.signIn('superadmin', 'root@portal.test', null)
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

describe("traceability from an amount to the provider's record", () => {
  const withLines = async () => (await admin('GET', `/azure/billing?trainingName=${TRAINING}&lines=yes`)).body
  const runs = async (name: string) => (await admin('GET', `/azure/billing/runs?vmName=${name}`)).body

  test('sums the lines to the billed amount and the runs to each line', async () => {
    // The replies must be read within one second of the portal's clock, so the reads are retried until they agree.
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

  test("shows why each run opened and closed, at the instants in the provider's record", async () => {
    const { machines } = await env.truth()
    for (const name of names) {
      const { billed } = machines.find((machine) => machine.name === name)!
      const { runs: those } = await runs(name)
      expect(those.map(({ start, stop }: { start: string; stop: string | null }) => [start, stop])).toEqual(
        billed.map(({ from, to }) => [new Date(from).toISOString(), to === null ? null : new Date(to).toISOString()]),
      )
      for (const { opened, closed, start, stop } of those) {
        expect(opened).toEqual({ cause: 'seen running', reportedAt: start })
        expect(closed).toEqual(stop === null ? null : { cause: 'stop accepted', reportedAt: stop })
      }
    }
  })

  test('returns identical bytes for finished runs when read again', async () => {
    const stopped = (await machinesOf(admin, TRAINING)).find(({ status }) => status === 'Stopped')!
    const once = JSON.stringify((await runs(stopped.name)).runs)
    await env.step(3 * 3600)
    expect(JSON.stringify((await runs(stopped.name)).runs)).toBe(once)
    await superadmin('DELETE', '/admin/logs', { trainingName: TRAINING })
    expect(JSON.stringify((await runs(stopped.name)).runs)).toBe(once)
  })

  test("runs match the provider's record to the second, and a run cut short is reported", async () => {
    await until(
      'the runs match',
      async () => runDifferences(env.db, await env.truth()),
      (differences) => differences.length === 0,
    )
    const running = (await machinesOf(admin, TRAINING)).find((machine) => machine.isRunning)!
    const cut = await env.db
      .updateTable('run')
      .set({ stopped_at: sql<Date>`started_at + interval '1 second'`, closed_by: 'seen stopped' })
      .where('stopped_at', 'is', null)
      .where('machine_id', '=', running._id as never)
      .returning('started_at')
      .executeTakeFirstOrThrow()
    await updateRunSums(env.db)
    const found = await runDifferences(env.db, await env.truth())
    expect(found.join(' ')).toContain(running.name)
    expect(found.join(' ')).toContain(cut.started_at.toISOString().slice(0, 19))
  })

  test('refuses to store a run that overlaps or duplicates another', async () => {
    const run = await env.db.selectFrom('run').selectAll().where('stopped_at', 'is not', null).executeTakeFirstOrThrow()
    const { id: _, ...same } = run
    await expect(env.db.insertInto('run').values(same).execute()).rejects.toThrow(/^runs of machine .* overlap$/)
    expect(await brokenInvariants(env.db, { quiet: false })).not.toContainEqual(expect.objectContaining({ name: 'M1' }))
  })
})
