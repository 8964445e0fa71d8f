import { expect, test } from 'vitest'
import { UNDO_HEADER } from '@trainyard/platform/contract/words/limits.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await env.signIn('user', 'foreign@globex.test', await env.organisation('Globex'))
await env.worker()
const TRAINING = 'Two groups'
const BEFORE = ['one@acme.test', 'two@acme.test', 'three@acme.test']
await admin('POST', '/azure/machines', order(TRAINING, BEFORE))
const settled = () =>
  until(
    'all machines run with a password',
    () => machinesOf(admin, TRAINING),
    (all) => all.every(({ status, adminPass }) => status === 'Running' && adminPass !== null),
    60_000,
  )
const learners = async () => (await machinesOf(admin, TRAINING)).map(({ email }) => email)
const handOver = (emails: readonly string[], reset: boolean) =>
  machinesOf(admin, TRAINING).then((machines) =>
    admin('PATCH', '/azure/machinesLearners', {
      machines: emails.map((email, i) => ({
        name: machines[i]!.name,
        resourceGroup: machines[i]!.resourceGroup,
        email,
      })),
      reset,
    }),
  )

test('changes no learner if one of the new learners cannot have a machine', async () => {
  await settled()
  for (const invalid of ['foreign@globex.test', 'admin2@globex.test, x', 'three@acme.test'])
    expect((await handOver(['new1@acme.test', 'new2@acme.test', invalid], true)).status).toBeGreaterThan(399)
  const [machine] = await machinesOf(admin, TRAINING)
  const duplicate = ['a@acme.test', 'b@acme.test'].map((email) => ({
    name: machine!.name,
    resourceGroup: machine!.resourceGroup,
    email,
  }))
  expect((await admin('PATCH', '/azure/machinesLearners', { machines: duplicate, reset: false })).status).toBe(400)
  expect(await learners()).toEqual(BEFORE)
})

test('hands over several machines at once, and with a reset gives them new disks', async () => {
  const before = await settled()
  const swapped = ['two@acme.test', 'one@acme.test']
  expect(await handOver(swapped, false)).toMatchObject({
    status: 200,
    body: {
      message: '2 machines have new learners and get new passwords. Those that run are being restarted.',
    },
  })
  expect(await learners()).toEqual([...swapped, 'three@acme.test'])
  const after = await settled()
  expect(after.map(({ publicIp }, i) => publicIp === before[i]!.publicIp)).toEqual([true, true, true])
  expect(after.map(({ adminPass }, i) => adminPass === before[i]!.adminPass)).toEqual([false, false, true])

  const records = async () => (await env.truth()).machines.length
  const created = await records()
  expect(await handOver(['new@acme.test'], true)).toMatchObject({
    status: 200,
    body: {
      message: `${before[0]!.name} now belongs to new@acme.test. It is being reset and will have a new password.`,
    },
  })
  await until('the machine is created again', records, (count) => count === created + 1)
  const [reset] = await settled()
  expect(reset!.email).toBe('new@acme.test')
  expect(reset!.adminPass).not.toBe(after[0]!.adminPass)
  expect(env.bugs).toEqual([])
})

test('a machine that is handed over while its stop can be undone does not keep running without a restart', async () => {
  const { name, resourceGroup } = (await settled()).at(-1)!
  const place = { name, resourceGroup }
  const stop = await admin('PATCH', '/azure/machines', [{ operation: 0 }, place], { [UNDO_HEADER]: '1' })
  const handed = await admin('PATCH', '/azure/machinesLearner', { ...place, email: 'next@acme.test' })
  expect([stop.status, handed.status]).toEqual([200, 200])
  const undone = await admin('PATCH', '/azure/machinesUndo', [place])
  expect(undone).toMatchObject({ status: 409, body: { message: `It is too late to undo: ${name} is being stopped.` } })
})
