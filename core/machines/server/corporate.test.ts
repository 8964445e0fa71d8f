import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { TEMPLATE, machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { tagsFor } from './spec.ts'

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
const root = await env.signIn('superadmin', 'root@demo.test', null)
await env.worker()

const govern = (governance: object) => env.control('POST', '/_governance', governance)
beforeEach(() => govern({}))

const machineIn = async (training: string) => (await machinesOf(admin, training))[0]!
const refusalOfTemplate = async () => {
  const { body } = await admin('GET', '/azure/templates?organization=Acme%20Learning')
  return (body.templates as { name: string; refusal: string | null }[]).find(({ name }) => name === TEMPLATE)!.refusal
}
async function refusedIn(training: string) {
  expect((await admin('POST', '/azure/machines', order(training, ['a@acme.test']))).status).toBe(200)
  return until(
    'it is refused',
    () => machineIn(training),
    ({ status, refused }) => status === 'Failing' && refused,
  )
}
const powerOn = ({ name, resourceGroup }: { name: string; resourceGroup: string }) =>
  admin('PATCH', '/azure/machines', [{ operation: 1 }, { name, resourceGroup }])

// This test must be the first one. It creates the resource group that the other tests use.
test('names the policy on a machine without a required tag, which runs once its organisation has the tag', async () => {
  await govern({ requiredTags: ['CostCentre'] })
  const machine = await refusedIn('Untagged')
  const end =
    "the subscription's policy 'Require a tag on resource groups' denies it. It evaluates tags[CostCentre]. Change the template so that it complies, then order the machine again. Or ask the subscription's administrators for an exemption, then power on the machine."
  expect(machine.statusReason).toBe(`Azure refused to create the resource group ${machine.resourceGroup}: ${end}`)
  expect(await refusalOfTemplate()).toBe(`Azure refused to create the resource group ${machine.resourceGroup}: ${end}`)

  const profile = { organization: 'Acme Learning', azureTags: { CostCentre: '4711' } }
  expect((await admin('PATCH', '/admin/organization/profile', profile)).status).toBe(403)
  expect((await root('PATCH', '/admin/organization/profile', profile)).status).toBe(200)
  expect((await powerOn(machine)).status).toBe(200)
  await until(
    'it runs',
    () => machineIn('Untagged'),
    ({ status }) => status === 'Running',
  )
  const truth = await env.truth()
  const tagged = [truth.resourceGroups, truth.networks, truth.securityGroups, truth.addresses, truth.networkInterfaces]
  for (const [each] of tagged) expect(each).toMatchObject({ tags: { CostCentre: '4711' } })
  expect(truth.machines[0]).toMatchObject({ tags: { CostCentre: '4711' } })
  expect(env.bugs).toEqual([])
})

test('names a policy on public addresses on machine, template and order', async () => {
  await govern({ noPublicAddresses: true })
  const machine = await refusedIn('Public')
  const sentence =
    /^Azure refused to create the network interface of .*: the subscription's policy 'Network interfaces should not have public IPs' denies it\. It evaluates properties\.ipConfigurations/
  expect(machine.statusReason).toMatch(sentence)
  expect(await refusalOfTemplate()).toMatch(sentence)
  const { rows } = await sql<{
    reason: string
  }>`select last_error as reason from machine where name = ${machine.name}`.execute(env.db)
  expect(rows[0]?.reason).toMatch(sentence)
})

test('names a full subnet on machine, template and operation, although the portal retries', async () => {
  const message = 'Subnet default with address prefix 10.0.0.0/24 does not have enough capacity for 1 IP addresses.'
  await env.control('POST', '/_faults', {
    kind: 'refuse',
    operation: 'NetworkInterfaces_CreateOrUpdate',
    error: { code: 'SubnetIsFull', message },
  })
  expect((await admin('POST', '/azure/machines', order('Full', ['a@acme.test']))).status).toBe(200)
  const machine = await until(
    'it is refused',
    () => machineIn('Full'),
    ({ statusReason }) => statusReason !== null,
  )
  const sentence = `The subnet has no free addresses, so Azure cannot create the network interface of ${machine.name}. Enlarge the subnet or delete unused machines: the portal retries automatically. Or choose another network in the template, then order the machine again. Azure: ${message}`
  expect(machine).toMatchObject({ statusReason: sentence, refused: false })
  const { body } = await admin('GET', `/azure/operations?vmName=${machine.name}`)
  expect(body.operations[0]).toMatchObject({ reason: sentence, closed: false })
  expect(await refusalOfTemplate()).toBe(sentence.replace(machine.name, 'a machine'))
  await env.control('DELETE', '/_faults')
  await env.step(120)
  await until(
    'it runs',
    () => machineIn('Full'),
    ({ status }) => status === 'Running',
  )
  expect(await refusalOfTemplate()).toBeNull()
})

test('fails permanently in a closed location and suggests another choice', async () => {
  await govern({ closedLocations: ['southindia'] })
  const machine = await refusedIn('Closed')
  expect(machine.statusReason).toMatch(/the subscription may not use this location\. Choose another location/)
})

test('creates a machine with the disk, encryption and diagnostics of its template', async () => {
  const set =
    '/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/labs'
  const { body: form } = await root('GET', `/admin/template/form?template=${encodeURIComponent(TEMPLATE)}`)
  const options = {
    diskSku: 'Premium_LRS',
    diskEncryptionSet: set,
    encryptionAtHost: true,
    bootDiagnostics: true,
    tags: { Environment: 'labs', costcentre: 'of the template' },
  }
  const edited = await root('PATCH', '/admin/template', { ...form, ...options })
  expect([edited.status, edited.body]).toMatchObject([200, {}])
  const refused = await refusedIn('Encrypted')
  expect(refused.statusReason).toMatch(/'Microsoft.Compute\/EncryptionAtHost' feature is not enabled/)
  await govern({ encryptionAtHost: true, diskEncryptionSets: [set] })
  expect((await powerOn(refused)).status).toBe(200)
  await until(
    'it runs',
    () => machineIn('Encrypted'),
    ({ status }) => status === 'Running',
  )
  const truth = await env.truth()
  const machine = truth.machines.find(({ name }: { name: string }) => name === refused.name)
  expect(machine).toMatchObject({ tags: { Environment: 'labs', CostCentre: '4711' } })
})

test.each([
  [{ A: '1' }, { B: '2' }, { A: '1', B: '2' }],
  [{ costcentre: 'template', A: '1' }, { CostCentre: 'organisation' }, { A: '1', CostCentre: 'organisation' }],
])('the tags %j of a template and %j of an organisation become %j', (ofTemplate, ofOrganisation, both) => {
  expect(tagsFor(ofTemplate as Record<string, string>, ofOrganisation as Record<string, string>)).toEqual(both)
})
