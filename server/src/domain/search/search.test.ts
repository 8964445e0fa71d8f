import { expect, test } from 'vitest'
import type { Role } from '@trainyard/contract/words/role.ts'
import { makeWorld, MARKER, PEOPLE } from '#test/world.ts'
import { sharedPortal } from '#test/shared.ts'

const portal = await sharedPortal()
const world = await makeWorld(portal)

interface Found {
  organizations: string[]
  trainings: { organization: string; training: string }[]
  machines: { organization: string; training: string; machine: string; email: string }[]
}

async function found(role: Role, text: string): Promise<Found> {
  const reply = await portal.ask('GET', '/user/search', { query: { text }, uid: await portal.sessionOf(PEOPLE[role]) })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Found
}

test.each(['user', 'admin'] as const)('%s finds own trainings by name, and a machine by its learner', async (role) => {
  const { organization, trainingName, machine, email } = world.own
  expect(await found(role, 'OWN tra')).toEqual({
    organizations: [],
    trainings: [{ organization, training: trainingName }],
    machines: [],
  })
  const line = { organization, training: trainingName, machine: machine.name, email }
  expect((await found(role, machine.name.slice(0, 4).toUpperCase())).machines).toContainEqual(line)
  expect((await found(role, 'learner@own')).machines).toEqual([line])
})

test.each(['user', 'admin'] as const)('%s finds nothing of another organisation', async (role) => {
  const nothing = { organizations: [], trainings: [], machines: [] }
  const { trainingName, machine, email, organization } = world.foreign
  expect(await found(role, trainingName)).toEqual(nothing)
  expect(await found(role, email)).toEqual(nothing)
  expect(await found(role, organization)).toEqual(nothing)
  const byMachine = await found(role, machine.name)
  expect(JSON.stringify(byMachine)).not.toContain(MARKER)
})

test('superadmin finds everything', async () => {
  const { organization, trainingName } = world.foreign
  expect((await found('superadmin', MARKER)).organizations).toEqual([organization])
  expect((await found('superadmin', trainingName)).trainings).toEqual([{ organization, training: trainingName }])
})

test('pattern characters are matched literally', async () => {
  const nothing = { organizations: [], trainings: [], machines: [] }
  for (const text of ['%', '_', String.raw`\ `.trim(), "'; drop table machine; --"]) {
    expect(await found('superadmin', text)).toEqual(nothing)
  }
})
