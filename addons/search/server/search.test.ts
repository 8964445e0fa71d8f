import { expect, test } from 'vitest'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { createSubjects, MARKER, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
const world = await createSubjects(portal)

interface Found {
  organizations: string[]
  trainings: { organization: string; training: string }[]
  machines: { organization: string; training: string; machine: string; email: string }[]
  pages: { group: string; label: string; hint: string; path: string; search: Record<string, string> }[]
}

async function searchAs(role: Role, text: string): Promise<Found> {
  const reply = await portal.request('GET', '/user/search', {
    query: { text },
    uid: await portal.sessionOf(PEOPLE[role]),
  })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Found
}

test.each(['user', 'admin'] as const)('%s finds own trainings by name, and a machine by its learner', async (role) => {
  const { organization, trainingName, machine, email } = world.own
  expect(await searchAs(role, 'OWN tra')).toEqual({
    organizations: [],
    trainings: [{ organization, training: trainingName }],
    machines: [],
    pages: [],
  })
  const line = { organization, training: trainingName, machine: machine.name, email }
  expect((await searchAs(role, machine.name.slice(0, 4).toUpperCase())).machines).toContainEqual(line)
  expect((await searchAs(role, 'learner@own')).machines).toEqual([line])
})

test.each(['user', 'admin'] as const)('%s finds nothing of another organisation', async (role) => {
  const NO_RESULTS = { organizations: [], trainings: [], machines: [], pages: [] }
  const { trainingName, machine, email, organization } = world.foreign
  expect(await searchAs(role, trainingName)).toEqual(NO_RESULTS)
  expect(await searchAs(role, email)).toEqual(NO_RESULTS)
  expect(await searchAs(role, organization)).toEqual(NO_RESULTS)
  const byMachine = await searchAs(role, machine.name)
  expect(JSON.stringify(byMachine)).not.toContain(MARKER)
})

test('an admin finds people of the own organisation, a superadmin of all, a learner none', async () => {
  const foreign = world.foreign.organization
  const own = { group: 'People', label: PEOPLE.admin, hint: '', path: '/admin/people', search: {} }
  const pages = async (role: Role, text: string) => (await searchAs(role, text)).pages
  expect(await pages('admin', PEOPLE.admin.toUpperCase())).toEqual([own])
  expect(await pages('user', PEOPLE.admin)).toEqual([])
  expect(await pages('superadmin', PEOPLE.admin)).toEqual([
    { ...own, hint: world.own.organization, search: { organization: world.own.organization } },
  ])
  await portal.owner
    .updateTable('portal_user')
    .set({ name: 'Rao, Asha Devi' })
    .where('email', '=', PEOPLE.admin)
    .execute()
  expect(await pages('admin', 'asha')).toEqual([{ ...own, label: 'Asha Devi Rao', hint: PEOPLE.admin }])
  expect(await pages('admin', 'sha')).toEqual([])
  expect(JSON.stringify(await pages('admin', 'a'))).not.toContain(foreign)
})

test('superadmin finds everything', async () => {
  const { organization, trainingName } = world.foreign
  expect((await searchAs('superadmin', MARKER)).organizations).toEqual([organization])
  expect((await searchAs('superadmin', trainingName)).trainings).toEqual([{ organization, training: trainingName }])
})

test('pattern characters are matched literally', async () => {
  const NO_RESULTS = { organizations: [], trainings: [], machines: [], pages: [] }
  for (const text of ['%', '_', String.raw`\ `.trim(), "'; drop table machine; --"]) {
    expect(await searchAs('superadmin', text)).toEqual(NO_RESULTS)
  }
})

test('does not find a removed training until a new order', async () => {
  const { organization, trainingName, template } = world.own
  const found = async (role: 'user' | 'admin' | 'superadmin') =>
    (await searchAs(role, trainingName)).trainings.map(({ training }: { training: string }) => training)
  expect(await found('admin')).toEqual([trainingName])
  const remove = { uid: await portal.sessionOf(PEOPLE.superadmin), query: { trainingName, organization } }
  expect((await portal.request('DELETE', '/azure/killTraining', remove)).status).toBe(200)
  for (const role of ['user', 'admin', 'superadmin'] as const) expect(await found(role)).toEqual([])
  const order = { templateName: template, trainingName, email: ['new@own.test'], createVmCount: 1 }
  const placed = await portal.request('POST', '/azure/machines', {
    uid: await portal.sessionOf(PEOPLE.admin),
    body: { ...order, allocatedHours: null, guacamole: false },
  })
  expect(placed.status).toBe(200)
  expect(await found('admin')).toEqual([trainingName])
})
