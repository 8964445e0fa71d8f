import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Role } from '@trainyard/contract/words/role.ts'
import { makeWorld, PEOPLE } from '../../access/test-world.ts'
import { startTestPortal, type TestPortal } from '../../http/test-portal.ts'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeWorld>>

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  world = await makeWorld(portal)
})
afterAll(() => portal.close())

async function ask(role: Role, method: string, path: string, ask: { query?: object; body?: object }) {
  const reply = await portal.ask(method, path, { ...ask, uid: await portal.sessionOf(PEOPLE[role]) })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

test('a removed training is offered to nobody, keeps its bill and machines, and comes back with an order', async () => {
  const { organization, trainingName, template } = world.own
  const offered = async (role: Role) => {
    const names = await ask(role, 'GET', '/azure/trainingName', { query: { organization } })
    const found = await ask(role, 'GET', '/user/search', { query: { text: trainingName } })
    return [names.body['trainingNames'], (found.body['trainings'] as { training: string }[]).map((it) => it.training)]
  }
  expect(await offered('admin')).toEqual([[trainingName], [trainingName]])

  const of = { trainingName, organization }
  expect((await ask('superadmin', 'DELETE', '/azure/killTraining', { query: of })).status).toBe(200)
  for (const role of ['user', 'admin', 'superadmin'] as const) expect(await offered(role)).toEqual([[], []])
  expect((await ask('admin', 'GET', '/azure/billing', { query: { trainingName } })).status).toBe(200)
  expect((await ask('user', 'GET', '/azure/machines', { query: { trainingName } })).body).toHaveLength(1)

  const order = { templateName: template, trainingName, email: ['new@own.test'], createVmCount: 1 }
  const placed = await ask('admin', 'POST', '/azure/machines', {
    body: { ...order, allocatedHours: null, guacamole: false },
  })
  expect(placed.status).toBe(200)
  expect(await offered('admin')).toEqual([[trainingName], [trainingName]])
})
