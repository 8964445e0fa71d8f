import type { FastifyInstance } from 'fastify'
import { setCpuLoad } from '#src/azure/monitor/cpu-load.ts'
import { z } from 'zod'
import type { EmulatorContext } from '#src/azure/arm/mount.ts'
import { permissionShape, setPermissions } from '#src/azure/authorization/permissions.ts'
import { setPublished } from '#src/azure/compute/image-catalogue.ts'
import { setWithheld } from '#src/azure/compute/withheld-sizes.ts'
import { setCoreLimit, setFamilyLimit } from '#src/azure/compute/quotas.ts'
import { governanceIn, governanceShape, setGovernance } from '#src/azure/governance/governance.ts'
import { labsShape, seedLabs } from '#src/azure/lab-services/seed.ts'
import { registerUser } from '#src/azure/lab-services/users.ts'
import { removeGroupNamed } from '#src/azure/groups/resource-groups.ts'
import { setAddressLimit } from '#src/azure/network/public-addresses.ts'
import { setRegistered } from '#src/azure/subscriptions/providers.ts'
import { DEFAULT_TENANT_ID, setSubscription, subscriptionStates } from '#src/azure/subscriptions/subscriptions.ts'
import { iso, wholeSecond } from '#src/clock/clock.ts'
import type { Aws } from '#src/aws/aws.ts'
import { setPortalPolicy } from '#src/aws/iam/portal-policy.ts'
import { awsHistory, recordedAws } from '#src/aws/recorded-aws.ts'
import { parseInput } from '#src/control/parse-input.ts'
import { mountLabUserCalls } from '#src/control/lab-user-calls.ts'
import { costExport } from '#src/control/cost-export.ts'
import { copyMachine } from '#src/control/copies.ts'
import { applyOutsideChange, OUTSIDE_CHANGES } from '#src/control/outside-changes.ts'
import { ON_REQUEST_ONLY, truthParts } from '#src/control/truth.ts'
import { pastShape, recordPast } from '#src/control/past.ts'
import { faultShape } from '#src/faults/fault.ts'
import { setTenant, tenantShape } from '#src/graph/tenant.ts'
import type { Mailbox } from '#src/mail/mailbox.ts'
import type { Razorpay } from '#src/razorpay/account.ts'
import type { Tunnel } from '#src/ssh/tunnel.ts'
import { applyWorld, worldNames } from '#src/worlds.ts'
import { setUnresponsive } from '#src/ssh/reachable-machine.ts'
import { applyDueAnswers } from '#src/razorpay/bank.ts'

const clockShape = z.strictObject({
  mode: z.enum(['real', 'stepped']).optional(),
  set: z.iso.datetime({ offset: true }).optional(),
  advanceSeconds: z.number().min(0).optional(),
})

const deafShape = z.strictObject({ deaf: z.boolean() })
const desktopShape = z.strictObject({ port: z.int().min(1).max(65_535).nullable() })
const costsShape = z.strictObject({ month: z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/) })
const signInShape = z.strictObject({ username: z.string(), password: z.string() })

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
const portalPolicyShape = z.strictObject({ document: z.string().nullable() })
const limit = z.int().min(0).nullable().optional()
const quotaShape = z.strictObject({
  cores: limit,
  /** Cores by family, such as `standardDSv3Family`. */
  families: z.record(z.string(), z.int().min(0).nullable()).default({}),
  publicAddresses: limit,
})

const worldShape = z.strictObject({ world: z.enum(worldNames) })
const registrationShape = z.strictObject({
  lab: z.string().startsWith('/subscriptions/'),
  user: z.string(),
  displayName: z.string(),
  totalUsage: z.string().startsWith('P').default('PT0S'),
})

const directoryShape = z.strictObject({ lagSeconds: z.number().min(0).max(3600) })

export function mountControl(
  server: FastifyInstance,
  context: EmulatorContext,
  mailbox: Mailbox,
  { keys, certificates, realDesktops }: Pick<Tunnel, 'keys' | 'certificates' | 'realDesktops'>,
  aws: Aws,
  razorpay: Razorpay,
): void {
  const { cloud, clock, faults } = context
  const parts: ReturnType<typeof truthParts> = {
    ...truthParts(cloud, mailbox),
    aws: (now) => recordedAws(aws.cloud, now),
    awsHistory: () => awsHistory(aws.cloud),
    payments: () => recordedPayments(razorpay),
    webhooks: () => razorpay.webhooks.all(),
  }
  const clockNow = () => ({ mode: clock.mode, now: iso(clock.now()) })

  server.get('/_truth', async (request, reply) => {
    const now = clock.now()
    cloud.late.settle(now)
    cloud.operations.settle(now)
    aws.settle(now)
    const { part } = request.query as { part?: string }
    if (part === undefined) {
      const entries = Object.entries(parts).filter(([name]) => !ON_REQUEST_ONLY.has(name))
      const allParts = await Promise.all(entries.map(async ([name, read]) => [name, await read(now)] as const))
      return { now: iso(wholeSecond(now)), ...Object.fromEntries(allParts) }
    }
    const requested = part.split(',')
    const missing = requested.find((name) => parts[name] === undefined)
    if (missing !== undefined) {
      return reply
        .code(400)
        .send({ error: `Unknown part '${missing}'. Known parts: ${Object.keys(parts).join(', ')}.` })
    }
    const read = await Promise.all(requested.map(async (name) => [name, await parts[name]?.(now)] as const))
    return { now: iso(wholeSecond(now)), ...Object.fromEntries(read) }
  })

  server.get('/_costs', (request, reply) => {
    const { month } = parseInput(costsShape, request.query)
    const csv = costExport(cloud, new Date(`${month}-01T00:00:00Z`), clock.now())
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="azure-focus-${month}.csv"`)
      .send(csv)
  })

  server.get('/_clock', () => clockNow())
  server.post('/_clock', (request, reply) => {
    const read = parseInput(clockShape, request.body)
    const { mode, set, advanceSeconds } = read
    try {
      clock.change({
        ...(mode === undefined ? {} : { mode }),
        ...(set === undefined ? {} : { set: new Date(set) }),
        ...(advanceSeconds === undefined ? {} : { advanceSeconds }),
      })
    } catch (error) {
      if (error instanceof RangeError) return reply.code(400).send({ error: error.message })
      throw error
    }
    cloud.operations.settle(clock.now())
    return clockNow()
  })

  server.get('/_faults', () => ({ faults: faults.list() }))
  server.post('/_faults', (request, reply) => {
    const read = parseInput(faultShape, request.body)
    return reply.code(201).send(faults.add(read))
  })
  server.delete('/_faults', (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
  server.delete('/_faults/:id', (request, reply) => {
    const { id } = request.params as { id: string }
    if (faults.remove(Number(id))) return reply.code(204).send()
    return reply.code(404).send({ error: `There is no fault ${id}.` })
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

  server.post('/_aws/policy', (request) => {
    const read = parseInput(portalPolicyShape, request.body)
    setPortalPolicy(aws.cloud, read.document)
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

  server.post('/_labs', (request, reply) => {
    const read = parseInput(labsShape, request.body)
    cloud.database.transaction(() => seedLabs(cloud, read, clock.now()))
    return reply.code(201).send({ labs: read.labs.length })
  })
  server.post('/_labs/register', (request, reply) => {
    const read = parseInput(registrationShape, request.body)
    if (cloud.database.transaction(() => registerUser(cloud, read, clock.now()))) return read
    return reply.code(404).send({ error: `${read.lab} has no user ${read.user}.` })
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

  server.post('/_machines/:name/hostKey', async (request, reply) => {
    const { name } = request.params as { name: string }
    const machines = cloud.machines.existingByName(name)
    if (machines.length === 0) return reply.code(404).send({ error: `No machine is named ${name}.` })
    for (const { uid, name } of machines) {
      keys.change(uid)
      await certificates.change(uid, name)
    }
    return { changed: machines.map(({ id }) => id) }
  })

  server.post('/_machines/:name/desktop', (request, reply) => {
    const { name } = request.params as { name: string }
    const { port } = parseInput(desktopShape, request.body)
    const machines = cloud.machines.existingByName(name)
    if (machines.length === 0) return reply.code(404).send({ error: `No machine is named ${name}.` })
    for (const { uid } of machines) realDesktops.setPort(uid, port)
    return { port }
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

/** Amounts are paise. */
function recordedPayments(razorpay: Razorpay): unknown[] {
  applyDueAnswers(razorpay)
  const { records } = razorpay
  return records.allPayments().map((payment) => ({
    id: payment.id,
    orderId: payment.order_id,
    receipt: records.order(payment.order_id)?.receipt ?? null,
    amount: payment.amount,
    currency: payment.currency,
    status: payment.status,
    captured: payment.captured === 1,
    paysOrder: records.isSettled(payment.order_id),
    method: payment.method,
    createdAt: iso(payment.created_at),
    capturedAt: payment.captured_at === null ? null : iso(payment.captured_at),
    refunds: records.refundsOf(payment.id).map(({ id, amount, status }) => ({ id, amount, status })),
  }))
}
