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
  })
  const line = { organization, training: trainingName, machine: machine.name, email }
  expect((await searchAs(role, machine.name.slice(0, 4).toUpperCase())).machines).toContainEqual(line)
  expect((await searchAs(role, 'learner@own')).machines).toEqual([line])
})

test.each(['user', 'admin'] as const)('%s finds nothing of another organisation', async (role) => {
  const NO_RESULTS = { organizations: [], trainings: [], machines: [] }
  const { trainingName, machine, email, organization } = world.foreign
  expect(await searchAs(role, trainingName)).toEqual(NO_RESULTS)
  expect(await searchAs(role, email)).toEqual(NO_RESULTS)
  expect(await searchAs(role, organization)).toEqual(NO_RESULTS)
  const byMachine = await searchAs(role, machine.name)
  expect(JSON.stringify(byMachine)).not.toContain(MARKER)
})

test('superadmin finds everything', async () => {
  const { organization, trainingName } = world.foreign
  expect((await searchAs('superadmin', MARKER)).organizations).toEqual([organization])
  expect((await searchAs('superadmin', trainingName)).trainings).toEqual([{ organization, training: trainingName }])
})

test('pattern characters are matched literally', async () => {
  const NO_RESULTS = { organizations: [], trainings: [], machines: [] }
  for (const text of ['%', '_', String.raw`\ `.trim(), "'; drop table machine; --"]) {
    expect(await searchAs('superadmin', text)).toEqual(NO_RESULTS)
  }
})
