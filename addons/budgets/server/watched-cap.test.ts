import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { openEventStream } from '@trainyard/platform/test/event-stream.ts'
import { order, people } from '@trainyard/platform/test/orders.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { spendingCapSentence } from '../contract/budget-words.ts'
import { evaluateDueBudgets } from './evaluate.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await admin('POST', '/azure/machines', order('Watched', people(3)))

test('a screen that watches a training receives all machines when a spending cap starts or stops to apply', async () => {
  const { id, organisation_id } = await env.db
    .selectFrom('training')
    .select(['id', 'organisation_id'])
    .where('name', '=', 'Watched')
    .executeTakeFirstOrThrow()
  const credentials = await env.credentials('admin@acme.test')
  const stream = await openEventStream<Machine[]>(credentials, '/azure/machines/events?trainingName=Watched')
  const received = (description: string, spendingCapReason: string | null) =>
    until(
      description,
      async () => stream.events.at(-1)?.map((machine) => machine.spendingCapReason),
      (reasons) => String(reasons) === String([spendingCapReason, spendingCapReason, spendingCapReason]),
    )
  await received('the first batch', null)
  await sql`insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour)
    select id, organisation_id, '2026-01-01 10:00Z', '2026-01-01 11:00Z', 100 from machine
    where training_id = ${id} limit 1`.execute(env.db)
  await updateRunSums(env.db, sql`training_id = ${id}`)
  await env.db
    .insertInto('budget')
    .values({
      organisation_id,
      training_id: id,
      amount_paise: paise(100),
      spending_cap: true,
      set_by: 'admin@acme.test',
    })
    .execute()
  await env.db.transaction().execute((tx) => evaluateDueBudgets(tx, env.parts.jobQueue))
  await received('the spending cap', spendingCapSentence('Watched'))
  const body = { trainingName: 'Watched' }
  expect((await admin('DELETE', '/budgets', body)).status).toBe(200)
  expect(await received('that it is lifted', null)).toHaveLength(3)
  stream.close()
})

test('applies a spending cap to an order under every spelling of the training', async () => {
  await admin('POST', '/azure/machines', order('Capped', ['one@acme.test']))
  await admin('POST', '/budgets', { trainingName: 'Capped', amount: 1, spendingCap: true })
  await sql`update budget set cap_reached_at = portal_now()
    where training_id = (select id from training where name = 'Capped')`.execute(env.db)
  for (const spelling of ['Capped', 'CAPPED', 'Capped\u200B', '\uFF23apped']) {
    const { status } = await admin('POST', '/azure/machines', order(spelling, ['two@acme.test']))
    expect([spelling, status]).toEqual([spelling, spelling === 'Capped\u200B' ? 400 : 409])
  }
})
