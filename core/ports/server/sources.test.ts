import { expect, test } from 'vitest'
import type { SecurityGroupRow } from '../tables.gen.ts'
import { connectTo } from '@trainyard/machines/server/ssh/dial.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import { securityGroupName } from '@trainyard/machines/server/spec.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const TRAINING = 'Sources'
const PORTAL = '198.18.0.1'
const OFFICE = '203.0.113.50'
const ELSEWHERE = '192.0.2.77'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await env.worker()
await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test']))
const [machine] = await until(
  'the machine runs',
  () => machinesOf(admin, TRAINING),
  ([one]) => one?.status === 'Running' && one.publicIp !== null,
)

/** Returns true if a client with this address reaches the machine's SSH server. */
async function connectsFrom(address: string, port = 22): Promise<boolean> {
  const proxy = new URL(env.emulator.url)
  proxy.username = address
  try {
    const socket = await connectTo(machine!.publicIp!, port, proxy.href, AbortSignal.timeout(5_000))
    socket.destroy()
    return true
  } catch (error) {
    if (error instanceof ShellError) return false
    throw error
  }
}

const admitted = async () => {
  const all = await Promise.all([PORTAL, OFFICE, ELSEWHERE].map((address) => connectsFrom(address)))
  return all.map((isAdmitted) => (isAdmitted ? 'yes' : 'no')).join(' ')
}
const untilAdmitted = (expected: string) =>
  until(`only these are admitted: ${expected}`, admitted, (value) => value === expected)
const setSources = async (managementSources: readonly string[] | null) => {
  const { status } = await admin('PATCH', '/admin/organization/sources', { managementSources })
  expect(status).toBe(200)
}

test('lets only the portal and the addresses that the organisation adds reach SSH', async () => {
  expect(await admitted()).toBe('yes no no')
  await setSources(['203.0.113.0/24'])
  await untilAdmitted('yes yes no')
  await setSources(['203.0.113.51/32', '192.0.2.0/24'])
  await untilAdmitted('yes no yes')
  const { body } = await admin('GET', '/admin/organization/settings')
  expect(body.managementSources).toEqual(['203.0.113.51/32', '192.0.2.0/24'])
  await setSources(null)
  await untilAdmitted('yes no no')
  for (const invalid of [[], ['203.0.113.1/24'], ['example.com'], ['::/0'], 'any']) {
    const reply = await admin('PATCH', '/admin/organization/sources', { managementSources: invalid })
    expect([invalid, reply.status]).toEqual([invalid, 400])
  }
})

test('opens a port for a protocol and a source, and restores a rule that was changed elsewhere', async () => {
  const open = (port: number, overrides: object) =>
    admin('POST', '/azure/ports', { trainingName: TRAINING, port, priority: 1001, ...overrides })
  expect((await open(8080, { protocol: 'UDP', source: '203.0.113.0/24' })).status).toBe(200)
  expect((await open(8443, {})).status).toBe(200)
  expect((await open(9000, { source: '203.0.113.7/24' })).status).toBe(400)
  const { body } = await admin('GET', `/azure/ports?trainingName=${TRAINING}`)
  expect(body.rules).toEqual([
    { port: 8080, protocol: 'UDP', source: '203.0.113.0/24' },
    { port: 8443, protocol: 'TCP and UDP', source: null },
  ])
  const { id } = await env.db.selectFrom('training').select('id').where('name', '=', TRAINING).executeTakeFirstOrThrow()
  const rulesAtAzure = async () => {
    const { body: truth } = await env.control('GET', '/_truth?part=securityGroups')
    const groups = truth.securityGroups as { name: string; rules: Record<string, string>[] }[]
    return groups.find(({ name }) => name === securityGroupName(id))!.rules
  }
  const rules = await until('the rules exist', rulesAtAzure, (all) => all.length === 3)
  const byPort = rules.toSorted((a, b) => Number(a['destinationPortRange']) - Number(b['destinationPortRange']))
  const shown = byPort.map((rule) => [rule['destinationPortRange'], rule['protocol'], rule['sourceAddressPrefix']])
  expect(shown).toEqual([
    ['22', 'Tcp', `${PORTAL}/32`],
    ['8080', 'Udp', '203.0.113.0/24'],
    ['8443', '*', '*'],
  ])
  const group = `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${machine!.resourceGroup}/providers/Microsoft.Network/networkSecurityGroups/${securityGroupName(id)}`
  const properties = {
    access: 'Allow',
    direction: 'Inbound',
    protocol: 'Tcp',
    priority: 900,
    sourcePortRange: '*',
    sourceAddressPrefix: '*',
    destinationAddressPrefix: '*',
    destinationPortRange: '22',
  }
  const changeElsewhere = () =>
    fetch(`${env.emulator.url}${group}/securityRules/trainyard-ssh?api-version=2024-05-01`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: 'Bearer anybody' },
      body: JSON.stringify({ properties }),
    })
  // Each poll changes the rule again, because a running check of the group can restore it at once.
  const admittedAfterChange = async () => {
    expect((await changeElsewhere()).ok).toBe(true)
    return admitted()
  }
  await until('everyone is admitted', admittedAfterChange, (value) => value === 'yes yes yes')
  await env.db
    .updateTable('security_group')
    .set({ reconcile_at: new Date(0) } satisfies Partial<SecurityGroupRow>)
    .execute()
  await untilAdmitted('yes no no')
  expect(env.bugs).toEqual([])
})
