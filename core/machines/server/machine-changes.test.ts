import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { MACHINE_CHANNEL } from '@trainyard/trainings/server/machine-changes.ts'
import { listen } from '@trainyard/platform/server/db/listen.ts'
import { evaluateDuePrepaidAccounts } from '@trainyard/prepaid-credit/server/evaluate.ts'
import { addressChanged } from '@trainyard/users/server/address.ts'
import { checkMachinesAnswer } from './operation/answers.ts'
import { lockMachines, recordObservation } from './record.ts'
import { requireMayStart } from './may-start.ts'

/** Changes that no worker makes, so that only the call itself can report them. */

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const root = await env.signIn('superadmin', 'root@portal.test', null)
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const { id: training } = await env.db
  .insertInto('training')
  .values({ organisation_id: acme, name: 'Changed' })
  .returning('id')
  .executeTakeFirstOrThrow()

let heard: string[] = []
const connected = Promise.withResolvers<void>()
const listening = listen(
  { connectionString: env.portal.settings['DATABASE_URL']! },
  {
    channels: [MACHINE_CHANNEL],
    onNotification: (_channel, payload) => heard.push(payload),
    onConnect: connected.resolve,
  },
)
await connected.promise
afterAll(() => listening.close())

await admin('POST', '/azure/machines', order('Changed', people(1)))
const id = (await machinesOf(admin, 'Changed'))[0]!._id as MachineId
const ofMachine = `${training} ${id}`
const reported = (payload: string) =>
  until(
    `${payload} is reported`,
    async () => heard,
    (all) => all.includes(payload),
    5_000,
  )
await reported(ofMachine)
/** Discards what was reported until now. */
async function forget(): Promise<void> {
  await sql`select pg_notify(${MACHINE_CHANNEL}, 'marker')`.execute(env.db)
  await reported('marker')
  heard = []
}
beforeEach(forget)

test('reports a larger quota', async () => {
  await sql`update machine set allotted_minutes = 60`.execute(env.db)
  const body = { organization: 'Acme Learning', trainingName: 'Changed', increaseBy: 60 }
  expect((await root('POST', '/admin/quota', body)).status).toBe(200)
  expect(await reported(ofMachine)).not.toContain(training)
})

test('reports an observation, and a machine that answers', async () => {
  await env.db.transaction().execute(async (tx) => {
    const [machine] = await lockMachines(tx, [id])
    const seen = { state: 'running', since: null } as const
    await recordObservation(tx, machine!, { kind: 'seen', at: machine!.now, address: '192.0.2.1', seen })
  })
  await reported(ofMachine)
  await forget()
  await sql`update operation set ended_at = asked_at where machine_id = ${id}`.execute(env.db)
  await checkMachinesAnswer(env.parts.db, { responds: async () => true }, new AbortController().signal)
  expect(await reported(ofMachine)).not.toContain(training)
})

test('reports another address of the learner', async () => {
  await env.db.transaction().execute((tx) => addressChanged(tx, acme, 'learner0@acme.test', 'moved@acme.test'))
  expect(await reported(ofMachine)).not.toContain(training)
})

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
