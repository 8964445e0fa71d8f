import { beforeEach, expect, test } from 'vitest'
import { hearMachineChanges } from '@trainyard/platform/test/machine-changes.ts'
import { order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { requireMayStart } from '@trainyard/machines/server/may-start.ts'
import { evaluateDuePrepaidAccounts } from './evaluate.ts'

/** Changes that no worker makes, so that only the call itself can report them. */

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const root = await env.signIn('superadmin', 'root@portal.test', null)
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const { reported, forget } = await hearMachineChanges(env)
await admin('POST', '/azure/machines', order('Changed', people(1)))
const { id: training } = await env.db
  .selectFrom('training')
  .select('id')
  .where('name', '=', 'Changed')
  .executeTakeFirstOrThrow()
beforeEach(forget)

test('reports the end of a stop because of an overdue invoice', async () => {
  await env.db.insertInto('overdue_stop').values({ organisation_id: acme }).execute()
  await env.db.transaction().execute((tx) => requireMayStart(tx, { role: 'admin' }, [training]))
  expect(await reported(training)).not.toContain('marker')
})

test('reports used up credit with a hard limit, and the end of the limit', async () => {
  await env.db.insertInto('prepaid_account').values({ organisation_id: acme, hard_limit: true }).execute()
  await env.db.transaction().execute((tx) => evaluateDuePrepaidAccounts(tx, env.parts.jobQueue))
  await reported(training)
  await forget()
  const body = { organization: 'Acme Learning', hardLimit: false, low: 0, validDays: null }
  expect((await root('POST', '/admin/credit/account', body)).status).toBe(200)
  expect(await reported(training)).not.toContain('marker')
})
