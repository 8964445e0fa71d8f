import { expect, test } from 'vitest'
import type { MachineToDelete } from '@trainyard/templates/server/cloud.ts'
import { startWorker } from '@trainyard/server/worker.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { FAST_PACE } from '@trainyard/platform/test/environment.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()

test('passes the known state of a machine that must be deleted, which saves reads at the provider', async () => {
  const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
  const root = await env.signIn('superadmin', 'root@demo.test', null)
  const cloud = env.parts.clouds['azure']!
  const received: MachineToDelete[] = []
  const deleteMachine: typeof cloud.deleteMachine = (machine, signal) => {
    received.push(machine)
    return cloud.deleteMachine(machine, signal)
  }
  const worker = await startWorker({ ...env.parts, clouds: { azure: { ...cloud, deleteMachine } } }, FAST_PACE)
  try {
    const one = async () => (await machinesOf(admin, 'Class'))[0]!
    expect((await admin('POST', '/azure/machines', order('Class', ['a@acme.test']))).status).toBe(200)
    await until('it runs', one, ({ status, publicIp }) => status === 'Running' && publicIp !== null)
    const { first_seen_at } = await env.db.selectFrom('machine').select('first_seen_at').executeTakeFirstOrThrow()
    expect(first_seen_at).not.toBeNull()
    const killTrainingPath = '/azure/killTraining?trainingName=Class&organization=Acme%20Learning'
    expect((await root('DELETE', killTrainingPath)).status).toBe(200)
    await until(
      'deletion is requested twice',
      async () => received.length,
      (count) => count >= 2,
      60_000,
    )
    expect(received[0]).toMatchObject({ firstSeenAt: first_seen_at, isKnownToExist: true })
    // The machine may still exist, because its deletion was only requested.
    expect(received[1]).toMatchObject({ firstSeenAt: first_seen_at, isKnownToExist: false })
  } finally {
    await worker.stop()
  }
})
