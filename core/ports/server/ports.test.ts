import { describe, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { securityGroupName } from '@trainyard/machines/server/spec.ts'
import { TEMPLATE, machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

interface Group {
  readonly name: string
  readonly resourceGroup: string
  readonly rules: readonly {
    readonly name: string
    readonly priority: number
    readonly access: string
    readonly destinationPortRange: string
  }[]
}

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
const foreign = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex Academy'))
const root = await env.signIn('superadmin', 'root@demo.test', null)
await env.worker()
await env.worker()
const template = {
  name: 'Ubuntu elsewhere',
  rate: 10,
  resourceGroup: 'Elsewhere',
  vmSize: 'Standard_DS1_v2',
  imageId: 'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest',
  location: 'southindia',
  os: 'Linux',
  vnet: 'elsewhere-net',
  licence: 'none',
  isOfficial: false,
  cpu: '1',
  memory: '3.5 GB',
  storage: '30 GB',
  disk: 'SSD',
}
await root('POST', '/admin/template', template)
await root('POST', '/admin/assignTemplate', { organization: 'Acme Learning', template: template.name })

describe('ports', () => {
  const send = (method: string, port: number, priority?: number, as = admin) =>
    as(method, '/azure/ports', { trainingName: 'Web', port, ...(priority !== undefined && { priority }) })
  const listed = async () => (await admin('GET', '/azure/ports?trainingName=Web')).body
  const groupsOf = async (training: string): Promise<Group[]> => {
    const { id } = await env.db
      .selectFrom('training')
      .select('id')
      .where('name', '=', training)
      .executeTakeFirstOrThrow()
    const { body } = await env.control('GET', '/_truth?part=securityGroups')
    return (body.securityGroups as Group[]).filter(({ name }) => name === securityGroupName(id))
  }
  const opened = ({ rules }: Group) =>
    rules
      .filter(({ access, priority }) => access === 'Allow' && priority > 1000)
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ destinationPortRange, priority }) => [Number(destinationPortRange), priority])
  const expectPorts = (description: string, ports: readonly (readonly [number, number])[], groups = 1) =>
    until(
      description,
      async () => (await groupsOf('Web')).map(opened),
      (all) => all.length === groups && all.every((each) => JSON.stringify(each) === JSON.stringify(ports)),
    )

  test('become rules in each resource group with machines; a taken priority is replaced by a free one', async () => {
    await admin('POST', '/azure/machines', order('Web', people(2)))
    expect(await listed()).toMatchObject({ ports: [], lastError: null })
    expect(await send('POST', 8080, 1001)).toMatchObject({ status: 200 })
    expect((await listed()).ports).toEqual([8080])
    expect((await send('POST', 8443, 1001)).status).toBe(200)
    expect(await send('POST', 8080, 1005)).toMatchObject({ status: 409, body: { error: 'Port 8080 is already open.' } })
    for (const [port, priority] of [
      [0, 1001],
      [65_536, 1001],
      [80.5, 1001],
      [80, 99],
      [80, 4097],
    ] as const) {
      expect((await send('POST', port, priority)).status).toBe(400)
    }
    expect((await send('POST', 80, 1003, foreign)).status).toBe(404)
    await expectPorts('both are open', [
      [8080, 1001],
      [8443, 1002],
    ])
    await until('none is pending', listed, ({ pending }) => pending === false)
  })

  test('apply in every resource group of the training, also for machines ordered later', async () => {
    await admin('POST', '/azure/machines', order('Web', ['later@acme.test'], { templateName: 'Ubuntu elsewhere' }))
    await expectPorts(
      'they are open in both',
      [
        [8080, 1001],
        [8443, 1002],
      ],
      2,
    )
    expect(await env.db.selectFrom('security_group').select('place_group').orderBy('place_group').execute()).toEqual([
      { place_group: 'elsewhere' },
      { place_group: 'labs' },
    ])
  })

  test('can be closed, which frees their priority', async () => {
    expect((await send('DELETE', 8080)).status).toBe(200)
    expect((await send('DELETE', 8080)).status).toBe(409)
    await expectPorts('one is closed', [[8443, 1002]], 2)
    // A client may compute the priority as 1001 plus the number of open ports. After a port was closed, this priority
    // can already be in use.
    expect((await send('POST', 9000, 1002)).status).toBe(200)
    expect((await send('POST', 9001, 1003)).status).toBe(200)
    expect((await send('POST', 80, 1001)).status).toBe(200)
    await expectPorts(
      'all are open',
      [
        [80, 1001],
        [8443, 1002],
        [9000, 1003],
        [9001, 1004],
      ],
      2,
    )
  })

  test('are opened despite throttling, lost replies and rules created by others', { tags: ['storm'] }, async () => {
    const [group] = await groupsOf('Web')
    const place = `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${group!.resourceGroup}/providers/Microsoft.Network/networkSecurityGroups/${group!.name}/securityRules/by-hand?api-version=2024-05-01`
    const rule = {
      access: 'Deny',
      direction: 'Inbound',
      protocol: 'Tcp',
      priority: 1005,
      sourceAddressPrefix: '*',
      sourcePortRange: '*',
      destinationAddressPrefix: '*',
      destinationPortRange: '25',
    }
    const put = await fetch(env.emulator.url + place, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: 'Bearer anybody' },
      body: JSON.stringify({ properties: rule }),
    })
    expect(put.ok).toBe(true)
    await env.control('POST', '/_faults', { kind: 'throttle', operation: 'SecurityRules_*', times: 1 })
    await env.control('POST', '/_faults', { kind: 'loseReply', operation: 'SecurityRules_CreateOrUpdate', times: 1 })
    expect((await send('POST', 5000, 1005)).status).toBe(200)
    const groups = await until(
      'it is open in both',
      () => groupsOf('Web'),
      (all) => all.every((each) => opened(each).some(([port]) => port === 5000)),
      20_000,
    )
    const groupWithOwnRule = groups.find(({ rules }) => rules.some(({ name }) => name === 'by-hand'))!
    expect(groupWithOwnRule.rules.find(({ destinationPortRange }) => destinationPortRange === '5000')!.priority).toBe(
      1006,
    )
    expect(groupWithOwnRule.rules.some(({ name }) => name === 'trainyard-ssh')).toBe(true)
    await env.control('DELETE', '/_faults')
  })

  test(
    'are deleted with the training: no group remains at the provider, and a later training starts without ports',
    { tags: ['storm'] },
    async () => {
      expect((await root('DELETE', '/azure/killTraining?trainingName=Web')).status).toBe(200)
      await until(
        'no group is left',
        () => groupsOf('Web'),
        (all) => all.length === 0,
      )
      await until(
        'no row is left',
        () => env.db.selectFrom('security_group').selectAll().execute(),
        (rows) => rows.length === 0,
      )
      expect(await listed()).toEqual({ ports: [], rules: [], pending: false, lastError: null })
      await admin('POST', '/azure/machines', order('Web', ['again@acme.test'], { templateName: TEMPLATE }))
      await until(
        'it runs',
        () => machinesOf(admin, 'Web'),
        (all) => all.some(({ status }) => status === 'Running'),
      )
      await expectPorts('none is open', [])
      expect(env.bugs).toEqual([])
      expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    },
  )
})
