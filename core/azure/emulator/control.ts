import { z } from 'zod'
import type { AzureContext } from './arm/mount.ts'
import { permissionShape, setPermissions } from './authorization/permissions.ts'
import { setPublished } from './compute/image-catalogue.ts'
import { setCoreLimit, setFamilyLimit } from './compute/quotas.ts'
import { setWithheld } from './compute/withheld-sizes.ts'
import { governanceIn, governanceShape, setGovernance } from './governance/governance.ts'
import { removeGroupNamed } from './groups/resource-groups.ts'
import { setCpuLoad } from './monitor/cpu-load.ts'
import { setUnresponsive } from './network/reachable-machine.ts'
import { setAddressLimit } from './network/public-addresses.ts'
import { setRegistered } from './subscriptions/providers.ts'
import { DEFAULT_TENANT_ID, setSubscription, subscriptionStates } from './subscriptions/subscriptions.ts'
import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import { copyMachine } from './copies.ts'
import { costExport } from './cost-export.ts'
import { mountLabUserCalls } from '@trainyard/platform/emulator/control/lab-user-calls.ts'
import { applyOutsideChange, OUTSIDE_CHANGES } from './outside-changes.ts'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import { pastShape, recordPast } from './past.ts'
import { setTenant, tenantShape } from './tenant.ts'
import { applyWorld, worldNames } from './worlds.ts'

const costsShape = z.strictObject({ month: z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/) })
const signInShape = z.strictObject({ username: z.string(), password: z.string() })
const deafShape = z.strictObject({ deaf: z.boolean() })
const processorShape = z.strictObject({ percent: z.number().min(0).max(100).nullable() })
const copiesShape = z.strictObject({ count: z.int().min(1).max(100_000) })
const offerShape = z.strictObject({ location: z.string(), size: z.string(), offered: z.boolean() })
const permissionsShape = z.strictObject({
  group: z.string().nullable().default(null),
  permissions: z.array(permissionShape).nullable(),
})
const providerShape = z.strictObject({ namespace: z.string(), registered: z.boolean() })
const imageShape = z.strictObject({
  publisher: z.string(),
  offer: z.string(),
  sku: z.string(),
  location: z.string(),
  published: z.boolean(),
  version: z.string().optional(),
})
const subscriptionShape = z.strictObject({
  tenantId: z.guid().default(DEFAULT_TENANT_ID),
  state: z.enum(subscriptionStates).default('Enabled'),
})
const limit = z.int().min(0).nullable().optional()
const quotaShape = z.strictObject({
  cores: limit,
  /** Cores by family, such as `standardDSv3Family`. */
  families: z.record(z.string(), z.int().min(0).nullable()).default({}),
  publicAddresses: limit,
})
const worldShape = z.strictObject({ world: z.enum(worldNames) })
const directoryShape = z.strictObject({ lagSeconds: z.number().min(0).max(3600) })

/** Calls of tests that Azure does not have. */
export function mountAzureControl({ server, cloud, clock }: AzureContext): void {
  server.get('/_costs', (request, reply) => {
    const { month } = parseInput(costsShape, request.query)
    const csv = costExport(cloud, new Date(`${month}-01T00:00:00Z`), clock.now())
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="azure-focus-${month}.csv"`)
      .send(csv)
  })

  server.post('/_directory', (request) => {
    const read = parseInput(directoryShape, request.body)
    cloud.settings.write('directory.lag', String(read.lagSeconds))
    return { lagSeconds: read.lagSeconds }
  })
  server.post('/_tenant', (request) => {
    const read = parseInput(tenantShape, request.body)
    setTenant(cloud.settings, read)
    return read
  })
  mountLabUserCalls(server, clock)
  server.post('/_groups/:group/vanish', (request, reply) => {
    const { group } = request.params as { group: string }
    const now = clock.now()
    cloud.operations.settle(now)
    return cloud.database.transaction(() => removeGroupNamed(cloud, group, now))
      ? { at: iso(wholeSecond(now)) }
      : reply.code(404).send({ error: `No group is named ${group}.` })
  })

  server.post('/_past', (request, reply) => {
    const read = parseInput(pastShape, request.body)
    try {
      recordPast(cloud, read, clock.now())
    } catch (error) {
      if (error instanceof RangeError) return reply.code(400).send({ error: error.message })
      throw error
    }
    return { machines: read.machines.length }
  })

  server.post('/_offers', (request) => {
    const read = parseInput(offerShape, request.body)
    setWithheld(cloud, read.location, read.size, !read.offered)
    return read
  })

  server.post('/_quotas', (request) => {
    const read = parseInput(quotaShape, request.body)
    if (read.cores !== undefined) setCoreLimit(cloud, read.cores)
    if (read.publicAddresses !== undefined) setAddressLimit(cloud, read.publicAddresses)
    for (const [family, cores] of Object.entries(read.families)) setFamilyLimit(cloud, family, cores)
    return read
  })

  server.get('/_governance', () => governanceIn(cloud.settings))
  server.post('/_governance', (request) => {
    const read = parseInput(governanceShape, request.body)
    setGovernance(cloud.settings, read)
    return read
  })

  server.post('/_world', (request) => {
    const read = parseInput(worldShape, request.body)
    applyWorld(cloud, read.world)
    return read
  })

  server.post('/_permissions', (request) => {
    const read = parseInput(permissionsShape, request.body)
    setPermissions(cloud, read.group, read.permissions)
    return read
  })

  server.post('/_subscription', (request) => {
    const read = parseInput(subscriptionShape, request.body)
    setSubscription(cloud, read)
    return read
  })

  server.post('/_providers', (request) => {
    const read = parseInput(providerShape, request.body)
    setRegistered(cloud, read.namespace, read.registered)
    return read
  })

  server.post('/_images', (request) => {
    const read = parseInput(imageShape, request.body)
    setPublished(cloud, read, read.location, read.published, read.version)
    return read
  })

  server.post('/_machines/:name/sign-in', (request, reply) => {
    const { name } = request.params as { name: string }
    const read = parseInput(signInShape, request.body)
    cloud.operations.settle(clock.now())
    const [machine] = cloud.machines.existingByName(name)
    if (machine === undefined) return reply.code(404).send({ error: `No machine is named ${name}.` })
    if (machine.power !== 'running') return reply.code(409).send({ error: `${name} is not running.` })
    return { accepted: cloud.accounts.accepts(machine.uid, read.username, read.password) }
  })

  server.post('/_machines/:name/deaf', (request, reply) => {
    const { name } = request.params as { name: string }
    const { deaf } = parseInput(deafShape, request.body)
    const machines = cloud.machines.existingByName(name)
    if (machines.length === 0) return reply.code(404).send({ error: `No machine is named ${name}.` })
    for (const { uid } of machines) setUnresponsive(cloud, uid, deaf)
    return { deaf: machines.map(({ id }) => id) }
  })

  server.post('/_machines/:name/processor', (request, reply) => {
    const { name } = request.params as { name: string }
    const { percent } = parseInput(processorShape, request.body)
    const machines = cloud.machines.existingByName(name)
    if (machines.length === 0) return reply.code(404).send({ error: `No machine is named ${name}.` })
    for (const { uid } of machines) setCpuLoad(cloud, uid, percent, clock.now())
    return { percent }
  })

  server.post('/_machines/:name/copies', (request, reply) => {
    const { name } = request.params as { name: string }
    const copies = copyMachine(cloud, name, parseInput(copiesShape, request.body).count)
    if (copies === undefined) return reply.code(404).send({ error: `There must be exactly one machine named ${name}.` })
    return reply.code(201).send({ copies })
  })

  for (const action of OUTSIDE_CHANGES) {
    server.post(`/_machines/:name/${action}`, (request, reply) => {
      const { name } = request.params as { name: string }
      const now = clock.now()
      cloud.operations.settle(now)
      const { resourceGroup } = request.query as { resourceGroup?: string }
      const outcome = cloud.database.transaction(() => applyOutsideChange(cloud, action, name, resourceGroup, now))
      if (typeof outcome === 'string') return reply.code(409).send({ error: outcome })
      if (outcome === undefined) return reply.code(404).send({ error: `No machine is named ${name}.` })
      return outcome
    })
  }
}
