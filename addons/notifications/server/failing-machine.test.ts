/** @module-tag full */
import { expect, test } from 'vitest'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
await env.worker()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await admin('POST', '/azure/machines', order('Failing', ['learner@acme.test']))
const becomes = (status: string) =>
  until(
    `it is ${status}`,
    () => machinesOf(admin, 'Failing'),
    ([machine]) => machine?.status === status,
  )
const power = async (operation: 0 | 1) => {
  const [machine] = await machinesOf(admin, 'Failing')
  const { name, resourceGroup } = machine!
  return admin('PATCH', '/azure/machines', [{ operation }, { name, resourceGroup }])
}

test('notifies the class once that a machine fails', async () => {
  await becomes('Running')
  await power(0)
  await becomes('Stopped')
  await env.emulator.fault({ kind: 'refuseCapacity', operation: 'VirtualMachines_Start', times: 2 })
  await power(1)
  const [machine] = await becomes('Running')
  const { unread, notifications } = (await admin('GET', '/notifications')).body as {
    unread: number
    notifications: { kind: string; text: string; read: boolean }[]
  }
  const failures = notifications.filter(
    (each) => each.kind === 'machine.failed' && each.text.startsWith(`${machine!.name} is failing:`),
  )
  expect(failures).toHaveLength(1)
  // The created order is listed, but only the failure is unread.
  expect(notifications.filter(({ read }) => !read)).toEqual(failures)
  expect([unread, notifications.some(({ kind }) => kind === 'order.ready')]).toEqual([1, true])
})
