import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { createSubjectsTemplate, PEOPLE, type Subject, type SubjectsTemplate } from '@trainyard/platform/test/world.ts'

let portal: TestPortal
let own: Subject
let root: string

let template: SubjectsTemplate
beforeAll(async () => {
  template = await createSubjectsTemplate(inject('testCluster'))
})
afterAll(() => template.database.drop())
beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), {}, {}, template.database.name)
  own = template.own
  root = await portal.sessionOf(PEOPLE.superadmin)
})
afterEach(() => portal.close())

type Form = Record<string, unknown> & { readonly revision: number }
const read = async (): Promise<Form> =>
  (await (
    await portal.request('GET', '/admin/template/form', { uid: root, query: { template: own.template } })
  ).json()) as Form
const edit = async (form: unknown) => {
  const reply = await portal.request('PATCH', '/admin/template', { uid: root, body: form })
  return { status: reply.status, message: ((await reply.json()) as { message: string }).message }
}
const order = (email: string) =>
  portal.request('POST', '/azure/machines', {
    uid: root,
    body: {
      organization: own.organization,
      templateName: own.template,
      email: [email],
      trainingName: own.trainingName,
      allocatedHours: null,
      createVmCount: 1,
      guacamole: false,
    },
  })
const machines = () =>
  portal.app.db
    .selectFrom('machine')
    .innerJoin('training', 'training.id', 'machine.training_id')
    .select(['machine.email', 'size_name', 'paise_per_hour', 'image_id'])
    .where('training.name', '=', own.trainingName)
    .orderBy('number')
    .execute()

test('applies an edit to future orders only; existing machines keep their values', async () => {
  const before = await machines()
  const form = await read()
  expect(form).toMatchObject({
    name: own.template,
    rate: 10,
    vmSize: 'Standard_D2s_v3',
    isOfficial: false,
    revision: 1,
  })
  const changed = { ...form, rate: 20.5, vmSize: 'Standard_D4s_v3', cpu: '4 cores' }
  expect(await edit(changed)).toEqual({
    status: 200,
    message: 'Template own template changed. New orders use it.',
  })
  expect(await read()).toEqual({ ...changed, revision: 2 })
  expect((await order('late@own.test')).status).toBe(200)
  expect(await machines()).toEqual([
    ...before,
    { email: 'late@own.test', size_name: 'Standard_D4s_v3', paise_per_hour: 2050, image_id: form['imageId'] },
  ])
})

test('adds and removes a plan together with the official image setting', async () => {
  const plan = { isOfficial: true, planPublisher: 'publisher', product: 'product', version: '1.0' }
  expect((await edit({ ...(await read()), ...plan })).status).toBe(200)
  expect(await read()).toMatchObject(plan)
  const { planPublisher: _publisher, product: _product, version: _version, ...rest } = await read()
  expect((await edit({ ...rest, isOfficial: false })).status).toBe(200)
  expect(await read()).not.toHaveProperty('planPublisher')
})

test('rejects the second of two concurrent edits', async () => {
  const form = await read()
  const both = await Promise.all([edit({ ...form, rate: 11 }), edit({ ...form, rate: 12 })])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.message).toBe(
    'own template was changed by another user. Open it again to see the changes.',
  )
  expect(await read()).toMatchObject({ rate: both[0].status === 200 ? 11 : 12, revision: 2 })
})

test('gives each machine one version of the template during concurrent orders, edits and a deletion', async () => {
  const form = await read()
  const there = (await machines()).length
  const [, ...orders] = await Promise.all([
    edit({ ...form, rate: 99, vmSize: 'Standard_D8s_v3' }),
    ...Array.from({ length: 6 }, (_, i) => order(`racer${i}@own.test`)),
    portal.request('DELETE', '/admin/template', { uid: root, body: { template: own.template } }),
  ])
  expect(orders.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  for (const { size_name, paise_per_hour } of (await machines()).slice(there)) {
    expect([
      ['Standard_D2s_v3', 1000],
      ['Standard_D8s_v3', 9900],
    ]).toContainEqual([size_name, paise_per_hour])
  }
  expect((await edit({ ...form, revision: 2 })).status).toBe(404)
})

test('clears a stored refusal when a machine property changes, but not for a new price', async () => {
  const refuse = () => sql`update template set refusal = 'No capacity.'`.execute(portal.owner)
  const refusal = async () =>
    (await portal.app.db.selectFrom('template').select('refusal').where('name', '=', own.template).executeTakeFirst())
      ?.refusal
  await refuse()
  await edit({ ...(await read()), rate: 11 })
  expect(await refusal()).toBe('No capacity.')
  await edit({ ...(await read()), location: 'westus' })
  expect(await refusal()).toBeNull()
})

test("rejects an image of another organisation's machine in an assigned template", async () => {
  const imageId =
    '/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/g/providers/Microsoft.Compute/galleries/x/images/y'
  await sql`
    insert into image (machine_id, organisation_id, asked_by, image_id, ready_at)
    select id, organisation_id, 'somebody', ${`${imageId}/versions/1.0.0`}, portal_now() from machine
    where organisation_id <> (select id from organisation where name = ${own.organization}) limit 1`.execute(
    portal.owner,
  )
  const reply = await edit({ ...(await read()), imageId })
  expect(reply).toMatchObject({ status: 409 })
  expect(reply.message).toContain(
    'own template is assigned to own school, but the image is of a machine of zqmark school.',
  )
})

test.each([
  [{ vmSize: 'Large' }, /^vmSize must be a size such as/],
  [{ rate: -1 }, /^rate must be between/],
  [{ imageId: '../x' }, /^imageId must be/],
  [{ os: 'Linux', licence: 'Windows_Server' }, /^licence must be none unless os is Windows\.$/],
  [{ isOfficial: true }, /^planPublisher must be given/],
  [{ revision: '1' }, /^revision must be a whole number/],
  [{ revision: undefined }, /^revision /],
  [{ ports: [22] }, /^ports is not a known field/],
])('%j is rejected with a message that names the field', async (change, sentence) => {
  expect(await edit({ ...(await read()), ...change })).toEqual({
    status: 400,
    message: expect.stringMatching(sentence),
  })
})

test('only a superadmin can edit a template', async () => {
  const form = await read()
  for (const role of ['user', 'admin', 'sandboxuser', 'awssandboxuser'] as const) {
    const uid = await portal.sessionOf(PEOPLE[role])
    expect((await portal.request('PATCH', '/admin/template', { uid, body: form })).status).toBe(403)
  }
})
