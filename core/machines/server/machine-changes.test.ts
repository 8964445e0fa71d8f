import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { hearMachineChanges } from '@trainyard/platform/test/machine-changes.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { addressChanged } from '@trainyard/users/server/address.ts'
import { checkMachinesAnswer } from './operation/answers.ts'
import { lockMachines, recordObservation } from './record.ts'

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

const { reported, forget } = await hearMachineChanges(env)

await admin('POST', '/azure/machines', order('Changed', people(1)))
const id = (await machinesOf(admin, 'Changed'))[0]!._id as MachineId
const ofMachine = `${training} ${id}`
await reported(ofMachine)
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
