import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { TEMPLATE, machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const GOOD = JSON.stringify({ id: 'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest' })
const MISSING = JSON.stringify({ id: 'Canonical:no such offer:22_04-lts-gen2:latest' })

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
await env.worker()

const creations = async () => {
  const { body } = await env.control('GET', '/_truth?part=calls')
  return (body.calls.VirtualMachines_CreateOrUpdate as number | undefined) ?? 0
}

describe('a machine with an image that does not exist', () => {
  beforeAll(() => sql`update template set image = ${MISSING}::jsonb`.execute(env.db))

  const readMachine = async () => (await machinesOf(admin, 'Refused'))[0]!
  const template = async () => {
    const { body } = await admin('GET', '/azure/templates?organization=Acme%20Learning')
    return (body.templates as { name: string; refusal: string | null }[]).find(({ name }) => name === TEMPLATE)!
  }
  const refused = async (least: number) => {
    await until('it is refused', readMachine, ({ status }) => status === 'Failing')
    await until('creation is requested', creations, (count) => count >= least)
    await until('it is not retried', readMachine, (machine) => machine.status === 'Failing' && machine.refused)
  }

  test('shows the reason on itself and on its template, and is not retried automatically', async () => {
    expect((await template()).refusal).toBeNull()
    expect((await admin('POST', '/azure/machines', order('Refused', ['a@acme.test']))).status).toBe(200)
    await refused(1)
    expect((await readMachine()).statusReason).toMatch(
      /^Azure refused to create the machine .*: The platform image .* is not/,
    )
    expect((await template()).refusal).toMatch(/^Azure refused to create a machine: The platform image .* is not/)
    expect((await template()).refusal).not.toContain((await readMachine()).name)
    const { rows } = await sql`select name from machine where reconcile_at is not null`.execute(env.db)
    expect(rows).toEqual([])
    await env.step(3600)
    expect(await creations()).toBe(1)
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
  })

  test('is retried by Power On, and runs once the image exists', async () => {
    const { name, resourceGroup } = await readMachine()
    const powerOn = () => admin('PATCH', '/azure/machines', [{ operation: 1 }, { name, resourceGroup }])
    expect((await powerOn()).status).toBe(200)
    await refused(2)
    expect(await creations()).toBe(2)
    await sql`update machine set image = ${GOOD}::jsonb`.execute(env.db)
    await sql`update template set image = ${GOOD}::jsonb`.execute(env.db)
    expect((await powerOn()).status).toBe(200)
    await until('it runs', readMachine, ({ status }) => status === 'Running')
    expect((await readMachine()).refused).toBe(false)
    expect((await template()).refusal).toBeNull()
  })

  test('is deleted with its training and leaves nothing behind', { tags: ['storm'] }, async () => {
    await sql`update template set image = ${MISSING}::jsonb`.execute(env.db)
    const created = await creations()
    expect((await admin('POST', '/azure/machines', order('Gone', ['b@acme.test']))).status).toBe(200)
    await until('creation is requested', creations, (count) => count > created)
    const root = await env.signIn('superadmin', 'root@demo.test', null)
    const killTrainingPath = '/azure/killTraining?trainingName=Gone&organization=Acme%20Learning'
    expect((await root('DELETE', killTrainingPath)).status).toBe(200)
    await until(
      'it is terminated',
      async () => (await machinesOf(admin, 'Gone'))[0]!,
      ({ isAlive }) => !isAlive,
      30_000,
    )
    const { networkInterfaces, addresses } = await env.truth()
    expect([networkInterfaces.length, addresses.length]).toEqual([1, 1])
    expect(env.bugs).toEqual([])
  })
})

describe('a machine whose creation no role of the portal allows', () => {
  const readMachine = async () => (await machinesOf(admin, 'Forbidden'))[0]!
  const roles = async (notActions: readonly string[]) =>
    env.control('POST', '/_permissions', { permissions: [{ actions: ['*'], notActions }] })
  const powerOn = async () => {
    const { name, resourceGroup } = await readMachine()
    expect((await admin('PATCH', '/azure/machines', [{ operation: 1 }, { name, resourceGroup }])).status).toBe(200)
  }
  const refused = () =>
    until('it is refused', readMachine, (machine) => machine.status === 'Failing' && machine.refused)
  beforeAll(async () => {
    await sql`update template set image = ${GOOD}::jsonb`.execute(env.db)
    await roles(['Microsoft.Compute/virtualMachines/write'])
  })

  test('reports the missing role and is not retried automatically, even after the role is assigned', async () => {
    const before = await creations()
    expect((await admin('POST', '/azure/machines', order('Forbidden', ['c@acme.test']))).status).toBe(200)
    const { statusReason } = await refused()
    expect(statusReason).toMatch(
      /^Azure does not allow the portal to create the machine .* lacks Microsoft\.Compute\/virtualMachines\/write at the resource group labs \(AuthorizationFailed\)\. Grant a role/,
    )
    expect(await creations()).toBe(before + 1)
    await roles([])
    await env.step(3600)
    const waiting = await sql`select name from machine where reconcile_at is not null`.execute(env.db)
    expect(waiting.rows).toEqual([])
    expect(await creations()).toBe(before + 1)
    expect((await readMachine()).status).toBe('Failing')
  })

  test('is refused again by Power On until the role is assigned, and then runs', async () => {
    await roles(['Microsoft.Compute/virtualMachines/write'])
    const before = await creations()
    await powerOn()
    await until('creation is requested', creations, (count) => count > before)
    await refused()
    expect(await creations()).toBe(before + 1)
    await roles([])
    await powerOn()
    await until('it runs', readMachine, ({ status }) => status === 'Running')
    expect(await readMachine()).toMatchObject({ refused: false, statusReason: null })
    expect(env.bugs).toEqual([])
  })
})
