import { expect, test } from 'vitest'
import type { MachineToDelete } from '../../../providers/cloud.ts'
import { startWorker } from '../../../app/worker.ts'
import { machinesOf, order } from '#test/orders.ts'
import { QUICK } from '#test/environment.ts'
import { until } from '#test/until.ts'
import { sharedEnvironment } from '#test/shared.ts'

const env = await sharedEnvironment()

test('the cloud is told of a machine to delete since when it stood and that it does: else each costs reads', async () => {
  const admin = await env.as('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
  const root = await env.as('superadmin', 'root@demo.test', null)
  const { cloud } = env.parts
  const told: MachineToDelete[] = []
  const deleteMachine: typeof cloud.deleteMachine = (machine, signal) => {
    told.push(machine)
    return cloud.deleteMachine(machine, signal)
  }
  const worker = await startWorker({ ...env.parts, cloud: { ...cloud, deleteMachine } }, QUICK)
  try {
    const one = async () => (await machinesOf(admin, 'Class'))[0]!
    expect((await admin('POST', '/azure/machines', order('Class', ['a@acme.test']))).status).toBe(200)
    await until('it runs', one, ({ status, publicIp }) => status === 'Running' && publicIp !== null)
    const { first_seen_at } = await env.db.selectFrom('machine').select('first_seen_at').executeTakeFirstOrThrow()
    expect(first_seen_at).not.toBeNull()
    const gone = '/azure/killTraining?trainingName=Class&organization=Acme%20Learning'
    expect((await root('DELETE', gone)).status).toBe(200)
    await until(
      'the cloud is asked twice to delete it',
      async () => told.length,
      (count) => count >= 2,
      60_000,
    )
    expect(told[0]).toMatchObject({ firstSeenAt: first_seen_at, stands: true })
    // It was asked to go: whether it stands still is to be looked at.
    expect(told[1]).toMatchObject({ firstSeenAt: first_seen_at, stands: false })
  } finally {
    await worker.stop()
  }
})
