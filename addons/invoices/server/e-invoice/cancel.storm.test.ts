import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import {
  addCustomer,
  addRuns,
  addSuperadmin,
  ADDRESS,
  registration,
  senderOf,
  setClock,
  SETTINGS,
} from '../../test/invoicing.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'

const ROUNDS = 40
const MONTH = '2026-12'
const TODAY = '2027-01-05'
const NOW = `${TODAY}T06:00:00Z`

const env = await sharedEnvironment()
const { portal } = env
const { owner } = portal

let seed = 64
const below = (limit: number): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % limit
}

test(`cancels each document at most once in ${ROUNDS} rounds of races and lost connections`, async () => {
  await setClock(portal, NOW)
  const root = await addSuperadmin(env)
  const send = senderOf(portal, () => root)
  await send('PATCH', '/admin/supplier', { ...SETTINGS, turnover: '10 or more', vouchersFrom: '2026-12-01' })
  const issue = async (organization: string) => {
    const query = new URLSearchParams({ organization, month: MONTH }).toString()
    const { digest } = (await send('GET', `/admin/invoices/draft?${query}`)).body
    return send('POST', '/admin/invoices', { organization, month: MONTH, digest: digest ?? '' })
  }
  const post = (path: string, body: object) => () => send('POST', path, body)
  /** Blocks the ledger of a customer and closes the connection that waits for it. */
  const loseConnection = (customer: string, work: () => Promise<unknown>) =>
    owner.transaction().execute(async (tx) => {
      await sql`select from ledger_balance where organisation_id = ${customer} for update`.execute(tx)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      let isDone = false
      const working = work().finally(() => (isDone = true))
      await until(
        'the reversal waits for the ledger',
        () =>
          queryDatabase(
            inject('testCluster'),
            `select pg_terminate_backend(pid) from pg_stat_activity where ${rows[0]!.pid} = any(pg_blocking_pids(pid))`,
          ),
        (closed) => closed.length > 0 || isDone,
      )
      await working
    })
  const counts = { cancelled: 0, credited: 0, 'issued again': 0, 'connections lost': 0 }

  for (let round = 0; round < ROUNDS; round++) {
    const name = `Storm ${round}`
    const customer = await addCustomer(portal, name, 1, { ...ADDRESS, gst: '29AABCR1718E1ZL' })
    await addRuns(portal, customer, '2026-12-05T04:00:00Z', '2026-12-05T14:00:00Z')
    const { number } = (await issue(name)).body as { number: string }
    const { expectedIrn } = (await send('GET', `/admin/invoice?number=${encodeURIComponent(number)}`)).body
    const register = post('/admin/invoice/registration', registration(number, expectedIrn, NOW))
    await register()
    const credit = post('/admin/invoice/credit', {
      number,
      reason: 'Wrong',
      items: [{ item: 1, amount: 1 + below(99) }],
    })
    const statuses: number[] = []
    const cancel = async () => {
      const { status } = await send('POST', '/admin/invoice/cancel', { number, cancelledAt: NOW, reason: 'duplicate' })
      statuses.push(status)
    }
    const payment = { organization: name, type: 'payment', date: TODAY, amount: 1 + below(200) }
    // These rounds cancel after the race, and lose the connection while the cancellation is recorded.
    const isLosing = below(3) === 0
    const actions: (() => Promise<unknown>)[] = [
      ...(below(3) === 0 ? [credit] : []),
      ...(isLosing ? [] : [cancel, cancel]),
      post('/admin/ledger/addTransaction', { ...payment, id: `R ${round}`, settles: number }),
      ...(below(3) === 0
        ? [
            post('/admin/ledger/writeOff', {
              organization: name,
              invoice: number,
              amount: 1,
              reason: 'Small',
              date: TODAY,
            }),
          ]
        : []),
      () => issue(name),
      () => issue(name),
      register,
    ]
    const shuffled = actions.toSorted(() => below(3) - 1)
    await Promise.allSettled(shuffled.map((action) => action()))

    if (isLosing) await loseConnection(customer.id, cancel)
    counts['connections lost'] += statuses.filter((status) => status >= 500).length
    await Promise.all([cancel(), cancel()])
    const again = await Promise.all([issue(name), issue(name)])
    counts['issued again'] += again.filter(({ status }) => status === 200).length
    const { rows } = await sql<{
      isCancelled: boolean
      notes: number
      reversals: number
      valid: number
      charged: number
    }>`
      select c.document_id is not null as "isCancelled",
        (select count(*) from tax_document n where n.of_document = d.id)::int as notes,
        (select count(*) from ledger_entry r where r.organisation_id = d.organisation_id and r.reverses = d.number)::int as reversals,
        (select count(*) from tax_document v where v.organisation_id = d.organisation_id and v.month is not null
          and not exists (select from e_invoice_cancellation x where x.document_id = v.id))::int as valid,
        (select coalesce(sum(amount_paise), 0) from charged_line l where l.organisation_id = d.organisation_id)::int as charged
      from tax_document d left join e_invoice_cancellation c on c.document_id = d.id where d.number = ${number}`.execute(
      owner,
    )
    const { isCancelled, notes, reversals, valid, charged } = rows[0]!
    const accepted = statuses.filter((status) => status === 200).length
    expect([name, accepted, reversals]).toEqual([name, isCancelled ? 1 : 0, isCancelled ? 1 : 0])
    expect(isCancelled && notes > 0).toBe(false)
    expect([valid, charged]).toEqual([1, 125_00])
    counts.cancelled += isCancelled ? 1 : 0
    counts.credited += notes
    const broken = await brokenInvariants(owner, { quiet: false })
    expect(broken.filter((each) => each.name.startsWith('L'))).toEqual([])
  }
  console.log(counts)
  expect(Math.min(counts.cancelled, counts['issued again'], counts['connections lost'])).toBeGreaterThan(0)
}, 600_000)
