import { expect, test } from 'vitest'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { machinesOf, order, RATE, template } from '@trainyard/platform/test/orders.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@globex.test', globex)

const TRAINING = 'Demo class'
test('creates the demo class from the cheapest Linux template, runs it, and deletes it with its learners', async () => {
  const { id: windows } = await env.db
    .insertInto('template')
    .values({ ...template(), name: 'Cheap Windows', os: 'Windows', rate_paise: paise(1) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await env.db.insertInto('template_assignment').values({ organisation_id: acme, template_id: windows }).execute()
  const both = await Promise.all([admin('POST', '/admin/demo-class', {}), admin('POST', '/admin/demo-class', {})])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await env.worker()
  const machines = await until(
    'both machines run',
    () => machinesOf(admin, TRAINING),
    (list) => list.every(({ isRunning }) => isRunning),
  )
  expect(machines.map(({ learnerName, quota }) => [learnerName, quota.total])).toEqual([
    ['Demo learner 1', 120],
    ['Demo learner 2', 120],
  ])
  const prices = await env.db.selectFrom('machine').select('paise_per_hour').execute()
  expect(prices.every(({ paise_per_hour }) => paise_per_hour >= RATE)).toBe(true)
  expect(await env.db.selectFrom('invitation').select('id').where('user_id', 'in', demoUsers()).execute()).toEqual([])
  expect((await foreign('DELETE', '/admin/demo-class', { organization: 'Acme Learning' })).status).toBe(404)

  expect((await admin('DELETE', '/admin/demo-class', {})).status).toBe(200)
  expect(await demoUsers().execute()).toEqual([])
  await until(
    'both machines are deleted',
    () => env.db.selectFrom('machine').select('terminated_at').execute(),
    (rows) => rows.every(({ terminated_at }) => terminated_at !== null),
  )
  const { body } = await admin('GET', '/azure/trainingName?organization=Acme%20Learning')
  expect(body).toEqual({ trainingNames: [] })
  expect((await admin('DELETE', '/admin/demo-class', {})).status).toBe(409)
})
const demoUsers = () => env.db.selectFrom('portal_user').select('id').where('email', 'like', 'demo-learner-%')

test('does not delete a training with the name of the demo class and real learners', async () => {
  expect((await admin('POST', '/azure/machines', order(TRAINING, ['real@acme.test']))).status).toBe(200)
  expect((await admin('POST', '/admin/demo-class', {})).body.message).toBe(
    'Acme Learning already has a training named Demo class. Delete it first.',
  )
  expect((await admin('DELETE', '/admin/demo-class', {})).status).toBe(409)
  const alive = (await machinesOf(admin, TRAINING)).filter(({ isAlive }) => isAlive)
  expect(alive.map(({ email }) => email)).toEqual(['real@acme.test'])
})

test('names the missing requirement of a demo class in an organisation without a Linux template', async () => {
  await env.db.deleteFrom('template_assignment').where('organisation_id', '=', globex).execute()
  expect((await foreign('POST', '/admin/demo-class', {})).body.message).toBe(
    'Assign a VM card with Linux to Globex first. The demo class uses it.',
  )
})

test('offers no demo class in a portal that creates real machines', async () => {
  const id = '11111111-1111-4111-8111-111111111111'
  const real = await startPortalOn(env.portal.settings['DATABASE_URL']!, {
    AZURE_SUBSCRIPTION_ID: id,
    AZURE_TENANT_ID: id,
    AZURE_CLIENT_ID: id,
    AZURE_CLIENT_SECRET: 'secret',
  })
  try {
    const { token } = await env.credentials('admin@acme.test')
    const me = await real.request('GET', '/user/me', { uid: token })
    expect(((await me.json()) as { abilities: string[] }).abilities).not.toContain('firstSteps.createDemoClass')
    const reply = await real.request('POST', '/admin/demo-class', { uid: token, body: {} })
    expect([reply.status, ((await reply.json()) as { message: string }).message]).toEqual([
      409,
      'Demo classes use emulated machines. This portal creates real machines at Azure.',
    ])
  } finally {
    await real.close()
  }
})
