import { randomUUID } from 'node:crypto'
import { organisationTurns } from '@trainyard/organisations/server/turns.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MachineId } from '../../../contract/words/ids.ts'
import { increaseQuota } from '@trainyard/machines/server/increase-quota.ts'
import { ensureSecurityGroups, wakeEmptySecurityGroups } from '@trainyard/ports/server/security-groups.ts'
import { machineKind } from '@trainyard/machines/server/step.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { addMachine, makeTraining, type Place } from '@trainyard/usage/server/test-runs.ts'
import { type ClaimableRow, type ClaimableTable, queueOf } from './claim.ts'
import type { Outcome, Step } from './outcome.ts'
import { type Work, workOn } from './work.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import type { Cloud } from '@trainyard/templates/server/cloud.ts'
import { PaymentsError } from '@trainyard/payments/server/payments-provider.ts'
import { makeSeal } from '../secrets/seal.ts'
import { PACE } from '../parts.ts'
import { sharedDatabase } from '../../../test/shared.ts'

const KEY = { id: 'test', bytes: Buffer.alloc(32, 7) }
let training: Place
let machine: MachineId
let number = 0

const { db } = await sharedDatabase({ size: 4 })

/** Makes the rows of earlier tests no longer due, because each test has its own rows. */
beforeEach(async () => {
  await sql`update machine set reconcile_at = null`.execute(db)
  await sql`update security_group set reconcile_at = null`.execute(db)
  await sql`update payment set reconcile_at = null`.execute(db)
  await sql`update azure_user set reconcile_at = null`.execute(db)
  training = await makeTraining(db, `Claims ${number++}`)
  machine = await addMachine(db, training, `claimed-${number}`, 1000, [])
  await db.transaction().execute((tx) => ensureSecurityGroups(tx, training.id))
  await sql`
    insert into payment (organisation_id, amount_paise, order_id, asked_by, reconcile_at)
    values (${training.organisation}, 100, ${randomUUID()}, 'admin', portal_now())`.execute(db)
  await sql`
    insert into azure_user (email, personal_email, days, end_at, total_paise, reconcile_at)
    values (${`asha-${number}@labs.test`}, 'asha@b.test', 1, portal_now() + interval '1 day', 1000, portal_now())`.execute(
    db,
  )
  await sql`update machine set reconcile_at = portal_now() where id = ${machine}`.execute(db)
  await sql`update security_group set reconcile_at = portal_now() where training_id = ${training.id}`.execute(db)
})

describe('a worker whose claim was taken over', () => {
  /** Claims the row, lets the lease expire, and claims it again as another worker. */
  async function claimExpired<Row extends ClaimableRow>(table: ClaimableTable) {
    const rows = queueOf<Row>(table)
    const [first] = await rows.claimDue(db, 1, 60)
    await sql`update ${sql.table(table)} set leased_until = portal_now() where id = ${first!.id}`.execute(db)
    const [second] = await rows.claimDue(db, 1, 60)
    expect(second!.id).toBe(first!.id)
    return { first: first!, second: second! }
  }
  const noBug = (bug: unknown) => expect.unreachable(String(bug))
  const signal = () => AbortSignal.timeout(20_000)

  test('sends no command to a machine and writes nothing', async () => {
    await sql`update machine set observed = 'running', desired = 'stopped' where id = ${machine}`.execute(db)
    const { first, second } = await claimExpired<MachineRow>('machine')
    const sent: string[] = []
    const stopMachine = async ({ name }: { name: string }) => {
      sent.push(name)
      return { at: new Date() }
    }
    const kind = machineKind({ db, clouds: { azure: { stopMachine } as unknown as Cloud }, seal: makeSeal([KEY]) })
    await workOn(db, kind, first, signal(), noBug)
    const row = () => db.selectFrom('machine').selectAll().where('id', '=', machine).executeTakeFirstOrThrow()
    expect(sent).toEqual([])
    expect(await row()).toMatchObject({ command: null, leased_until: expect.any(Date) })
    expect(await queueOf('machine').renewClaims(db, [first], 60)).toEqual(new Set())
    expect(await queueOf('machine').renewClaims(db, [second], 60)).toEqual(new Set([machine]))
    await workOn(db, kind, second, signal(), noBug)
    expect(sent).toEqual([second.name])
    expect(await row()).toMatchObject({ command: 'stop', command_accepted: true, leased_until: null })
  })

  test.each([
    ['a payment', 'payment'],
    ["a training's ports", 'security_group'],
    ['a lab user with sandboxes', 'azure_user'],
  ] as const)('writes nothing to %s', async (_what, table) => {
    const { first, second } = await claimExpired<ClaimableRow>(table)
    const steps: string[] = []
    const processClaimed = (claimed: ClaimableRow, name: string) =>
      workOn(
        db,
        {
          table,
          step: async () => ({
            set: { last_error: name },
            async next() {
              steps.push(name)
              return { set: { last_error: `${name} is done` }, next: 60 }
            },
          }),
        },
        claimed,
        signal(),
        noBug,
      )
    const row = async () => {
      const { rows } = await sql<ClaimableRow>`select * from ${sql.table(table)} where id = ${first.id}`.execute(db)
      return rows[0]
    }
    await processClaimed(first, 'the first')
    expect(steps).toEqual([])
    expect(await row()).toEqual(second)
    expect(await queueOf(table).renewClaims(db, [first], 60)).toEqual(new Set())
    expect(await queueOf(table).renewClaims(db, [second], 60)).toEqual(new Set([second.id]))
    await processClaimed(second, 'the second')
    expect(steps).toEqual(['the second'])
    expect(await row()).toMatchObject({ last_error: 'the second is done', leased_until: null })
  })
})

describe('an outcome', () => {
  const bugs: unknown[] = []
  /**
   * Claims the payment, runs the step and returns the row, with the seconds until the row is due and until its lease
   * ends.
   */
  async function processAfter(work: Partial<Work<ClaimableRow>> & Pick<Work<ClaimableRow>, 'step'>) {
    bugs.length = 0
    await sql`update payment set reconcile_at = portal_now(), leased_until = null
      where organisation_id = ${training.organisation}`.execute(db)
    const [claimed] = await queueOf('payment').claimDue(db, 1, 60)
    const kind = { table: 'payment', ...work } as const
    await workOn(db, kind, claimed!, AbortSignal.timeout(20_000), (bug) => bugs.push(bug))
    const { rows } = await sql<ClaimableRow & { due: number | null; free: number | null }>`
      select *, round(extract(epoch from reconcile_at - portal_now()))::float8 as due,
        round(extract(epoch from leased_until - portal_now()))::float8 as free
      from payment where id = ${claimed!.id}`.execute(db)
    return rows[0]!
  }
  const changeDesiredState = ({ id }: ClaimableRow) =>
    sql`update payment set generation = generation + 1 where id = ${id}`.execute(db)
  const throttled = new PaymentsError('throttled', 'Too fast.', { retryAfter: 40 })
  const silent = new PaymentsError('unreachable', 'No answer.')

  test('releases the row for the given time and clears earlier failures', async () => {
    await sql`update payment set attempts = 3, last_error = 'No.'`.execute(db)
    expect(await processAfter({ step: async () => ({ next: 30 }) })).toMatchObject({
      attempts: 0,
      last_error: null,
      due: 30,
      free: null,
    })
    expect(
      await processAfter({ step: async () => ({ set: { attempts: 2, last_error: 'Slow.' }, next: null }) }),
    ).toMatchObject({
      attempts: 2,
      last_error: 'Slow.',
      due: null,
      free: null,
    })
  })

  test('with an error increments the attempts, stores the error and backs off; hides two routine errors', async () => {
    const step = async () => Promise.reject(silent)
    expect(await processAfter({ step })).toMatchObject({ attempts: 1, last_error: 'No answer.', free: null })
    for (const [attempts, last_error] of [
      [2, 'No answer.'],
      [3, 'Too fast.'],
    ] as const) {
      const row = await processAfter({ step: async () => ({ error: throttled }) })
      expect(row).toMatchObject({ attempts, last_error, due: 40, free: null })
    }
    expect(bugs).toEqual([])
    await sql`update payment set attempts = 0, last_error = null`.execute(db)
    const bug = new TypeError('ours')
    expect(await processAfter({ step: async () => Promise.reject(bug) })).toMatchObject({
      attempts: 1,
      last_error: 'Something went wrong on our side. Retrying automatically.',
    })
    expect(bugs).toEqual([bug])
    const onError = (_row: ClaimableRow, error: Error) => ({
      set: { last_error: `Said: ${error.message}` },
      error,
      next: 7,
    })
    expect(await processAfter({ step, onError })).toMatchObject({ attempts: 2, last_error: 'Said: No answer.', due: 7 })
  })

  test('makes the row due at once if the desired state changed during the step, except after a final outcome', async () => {
    const changingDuring = (outcome: Outcome<ClaimableRow>) => async (row: ClaimableRow) => {
      await changeDesiredState(row)
      return outcome
    }
    expect(await processAfter({ step: changingDuring({ next: 30 }) })).toMatchObject({ due: 0, free: null })
    expect(await processAfter({ step: changingDuring({ next: null }) })).toMatchObject({ due: 0, free: null })
    expect(await processAfter({ step: changingDuring({ error: silent }) })).toMatchObject({ due: 0, free: null })
    // A pause that the provider requested always applies. Other pauses apply only if the kind says so.
    expect(await processAfter({ step: changingDuring({ error: throttled }) })).toMatchObject({ due: 40, free: null })
    expect(
      await processAfter({ step: changingDuring({ error: throttled }), retainedPause: 'requested' }),
    ).toMatchObject({
      due: 40,
      free: 40,
    })
    await sql`update payment set reconcile_at = portal_now()
      where organisation_id = ${training.organisation}`.execute(db)
    expect(await queueOf('payment').claimDue(db, 1, 60)).toEqual([])
    expect(await processAfter({ step: changingDuring({ error: silent }), retainedPause: 'requested' })).toMatchObject({
      due: 0,
      free: null,
    })
    expect(
      await processAfter({ step: changingDuring({ error: silent, next: 9 }), retainedPause: 'any' }),
    ).toMatchObject({
      due: 9,
    })
    expect(await processAfter({ step: changingDuring({ next: 'never' }) })).toMatchObject({ due: null, free: null })
  })

  test('stores the outcome of a step before the further step that it requests, up to ten steps', async () => {
    const seen: (string | null)[] = []
    const chain: Step<ClaimableRow> = async ({ last_error }) => {
      seen.push(last_error)
      return (_tx, row) => ({ set: { last_error: `${Number(row.last_error ?? 0) + 1}` }, next: chain })
    }
    expect(await processAfter({ step: chain })).toMatchObject({ due: 0, free: null, last_error: '10' })
    expect(seen).toEqual([null, ...Array.from({ length: 9 }, (_, i) => `${i + 1}`)])
  })
})

describe('organisations take turns', () => {
  async function addDue(count: number, seconds: number): Promise<{ at: Place; ids: MachineId[] }> {
    const at = await makeTraining(db, `Turns ${number++}`)
    const ids: MachineId[] = []
    for (let n = 0; n < count; n += 1) ids.push(await addMachine(db, at, `turn-${number}-${n}`, 1000, []))
    await sql`update machine set reconcile_at = portal_now() - make_interval(secs => ${seconds})
      where id = any(${ids}::uuid[])`.execute(db)
    return { at, ids }
  }
  const turns = machineKind({ db, clouds: {}, seal: makeSeal([KEY]) }).turns

  test('the machine of a small order does not wait for those of an earlier large one', async () => {
    await sql`update machine set reconcile_at = null`.execute(db)
    const large = await addDue(10, 60)
    const small = await addDue(1, 1)
    const rows = queueOf<MachineRow>('machine', { turns })
    const first = await rows.claimDue(db, 4, 60)
    expect(first.map(({ id }) => id)).toEqual(expect.arrayContaining(small.ids))
    expect(first).toHaveLength(4)
    const later = await addDue(1, 0)
    const [next] = await rows.claimDue(db, 1, 60, first)
    expect(next!.id).toBe(later.ids[0])
    expect((await rows.claimDue(db, 20, 60, first)).map(({ id }) => id).toSorted()).toEqual(
      large.ids.filter((id) => !first.some((row) => row.id === id)).toSorted(),
    )
  })

  test('an organisation never holds all places of a worker', async () => {
    await sql`update machine set reconcile_at = null`.execute(db)
    await addDue(6, 60)
    const rows = queueOf<MachineRow>('machine', { turns: organisationTurns(3) })
    const held = await rows.claimDue(db, 5, 60)
    expect(held).toHaveLength(3)
    expect(await rows.claimDue(db, 2, 60, held)).toEqual([])
    expect(turns!.max).toBeLessThan(PACE.concurrency)
  })
})

test('ignores a desired state that arrives after the deletion of a machine was requested', async () => {
  const desired = async () =>
    (await db.selectFrom('machine').select('desired').where('id', '=', machine).executeTakeFirstOrThrow()).desired
  await db.transaction().execute((tx) => setDesiredPower(tx, [machine], 'gone'))
  for (const late of ['running', 'stopped'] as const) {
    await db.transaction().execute((tx) => setDesiredPower(tx, [machine], late))
    expect(await desired()).toBe('gone')
  }
})

test('distributes quota to active machines only, not to terminated or deleting ones', async () => {
  const ended = await addMachine(db, training, `ended-${number}`, 1000, [])
  const deleting = await addMachine(db, training, `going-${number}`, 1000, [])
  await sql`update machine set allotted_minutes = 60 where training_id = ${training.id}`.execute(db)
  await sql`update machine set terminated_at = portal_now(), desired = 'gone', observed = 'absent', admin_password = null,
    reconcile_at = null
    where id = ${ended}`.execute(db)
  await sql`update machine set desired = 'gone' where id = ${deleting}`.execute(db)
  await db.transaction().execute((tx) => increaseQuota(tx, training.id, 30))
  const minutes = await db
    .selectFrom('machine')
    .select(['id', 'allotted_minutes'])
    .where('training_id', '=', training.id)
    .execute()
  expect(new Map(minutes.map((row) => [row.id, row.allotted_minutes]))).toEqual(
    new Map([
      [machine, 90],
      [ended, 60],
      [deleting, 60],
    ]),
  )
})

test('allows one ledger entry per provider payment, across all accounts', async () => {
  const other = await makeTraining(db, `Other ${number}`)
  const credit = (organisation: string, source: string) =>
    sql`with entry as (insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by)
      values (${organisation}, 'payment', 'pay_1', 'Online payment', 100, '2026-01-31', ${source}, 'admin') returning id)
      select update_balances(ids), post_entries(ids) from (select array(select id from entry) as ids) as added`.execute(
      db,
    )
  await credit(training.organisation, 'provider')
  await expect(credit(other.organisation, 'provider')).rejects.toMatchObject({ code: '23505' })
  await expect(credit(training.organisation, 'manual')).rejects.toMatchObject({ code: '23505' })
})

test('schedules only the security groups of a training when its last machine has ended', async () => {
  const group = () =>
    db
      .selectFrom('security_group')
      .select(['generation', 'attempts', sql<boolean>`reconcile_at <= portal_now()`.as('due')])
      .where('training_id', '=', training.id)
      .executeTakeFirstOrThrow()
  const wake = () => db.transaction().execute((tx) => wakeEmptySecurityGroups(tx, [training.id]))
  await sql`
    update security_group set reconcile_at = null, attempts = 3 where training_id = ${training.id}`.execute(db)
  const { generation } = await group()
  await wake()
  expect(await group()).toMatchObject({ generation, attempts: 3 })
  await sql`update machine set terminated_at = portal_now(), desired = 'gone', observed = 'absent', admin_password = null,
    reconcile_at = null where id = ${machine}`.execute(db)
  await wake()
  expect(await group()).toEqual({ generation: generation + 1, attempts: 0, due: true })
})
