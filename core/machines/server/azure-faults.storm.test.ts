import { createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Machine } from '../contract/machine.ts'
import { machineDifferences } from './compare-machines.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { dueChannel } from '@trainyard/platform/server/run/reconcile/notify.ts'

/** Operations that the reconciler requests at Azure. Each operation is paired with each fault: one machine per pair. */
const OPERATIONS = {
  create: ['PublicIPAddresses_CreateOrUpdate', 'NetworkInterfaces_CreateOrUpdate', 'VirtualMachines_CreateOrUpdate'],
  stop: ['VirtualMachines_Deallocate'],
  start: ['VirtualMachines_Start'],
  restart: ['VirtualMachines_Restart'],
  delete: ['VirtualMachines_Delete', 'NetworkInterfaces_Delete', 'PublicIPAddresses_Delete', 'Disks_Delete'],
} as const
type Phase = keyof typeof OPERATIONS

const PAUSE = 120
/** Tolerance in seconds, because the two clocks are set one after the other while calls are in progress. */
const SKEW = 30
const FAULTS = [
  { title: 'throttled with Retry-After', kind: 'throttle', times: 2, retryAfter: PAUSE },
  { title: 'refused because of the quota', kind: 'refuseQuota', times: 2 },
  { title: 'refused because of capacity', kind: 'refuseCapacity', times: 2 },
  { title: 'unauthorised', kind: 'unauthorised', times: 2 },
  { title: 'server error', kind: 'serverError', times: 3 },
  { title: 'no reply', kind: 'hang', times: 1 },
  { title: 'malformed reply', kind: 'malformed', times: 2 },
  { title: 'not executed, connection dropped', kind: 'dropConnection', times: 2 },
  { title: 'executed, reply lost', kind: 'loseReply', times: 2 },
  { title: 'executed late, reply lost', kind: 'doneLate', times: 1, seconds: 40 },
  { title: 'accepted, then failed', kind: 'finishFailed', times: 1 },
] as const

/**
 * Pairs that the short form always includes: failed operations that leave machines behind, and operations that are
 * retried.
 */
const ALWAYS: Readonly<Record<string, readonly (typeof FAULTS)[number]['kind'][]>> = {
  VirtualMachines_CreateOrUpdate: ['refuseCapacity', 'finishFailed'],
  VirtualMachines_Start: ['throttle', 'loseReply'],
}
/**
 * True for the long form, `npm run storm`, with every pair. The short form has some pairs, including each operation and
 * each fault.
 */
const LONG = process.env.STORM === 'long'
const PAIRS = Object.entries(OPERATIONS)
  .flatMap(([phase, operations]) =>
    operations.flatMap((operation) => FAULTS.map((fault) => ({ phase: phase as Phase, operation, fault }))),
  )
  .filter(
    ({ phase, operation, fault }, i) =>
      LONG || i % (phase === 'create' ? 5 : 7) === 0 || ALWAYS[operation]?.includes(fault.kind) === true,
  )
/**
 * Returns true if the fault should have occurred but did not. A machine's disk, address and network interface are
 * deleted together with the machine. They are deleted separately only if they remain, and no fault here guarantees
 * this.
 */
const hadNoEffect = ({ operation, happened }: { operation: string; happened: number }): boolean =>
  happened === 0 && (!operation.endsWith('_Delete') || operation === 'VirtualMachines_Delete')
const PARTS = { PublicIPAddresses: '-ip', NetworkInterfaces: '-nic', Disks: '-os', VirtualMachines: '' }
const partOf = (operation: string) => PARTS[operation.split('_', 1)[0] as keyof typeof PARTS]
/**
 * Maximum seconds until every machine is in its final state: ten minutes after the faults, plus the pauses that the
 * faults request.
 */
const LIMIT = 1200
const TRAINING = 'Matrix'
/** Number of calls within ten minutes that indicates a loop without pauses. */
const CALLS_EACH = 14

interface Sent {
  readonly operation: string
  readonly at: number
  readonly pause: number | null
}

const sent: Sent[] = []
const env = await sharedEnvironment({ overrides: { azure: { http: recorded(sent) } } })
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme'))
const superadmin = await env.signIn('superadmin', 'root@portal.test', null)
const emails = PAIRS.map((_, i) => `learner${i}@acme.test`)
await admin('POST', '/azure/machines', order(TRAINING, emails))

describe('the Azure fault matrix', () => {
  const describeDifference = (difference: string) => {
    const pair = PAIRS[pairs.get(difference.split(' ', 1)[0]!) ?? -1]
    return pair === undefined ? difference : `${difference} (${pair.operation}, ${pair.fault.title})`
  }
  const pairs = new Map<string, number>()

  const machineFor = (machines: readonly Machine[], pair: number) =>
    machines.find(({ email }) => email === `learner${pair}@acme.test`)!

  async function injectFaults(phase: Phase): Promise<Machine[]> {
    const machines = await machinesOf(admin, TRAINING)
    const affected: Machine[] = []
    for (const { name, email } of machines) pairs.set(name, Number(/\d+/.exec(email)))
    for (const [i, pair] of PAIRS.entries()) {
      if (pair.phase !== phase) continue
      const machine = machineFor(machines, i)
      affected.push(machine)
      const { title: _, ...fault } = pair.fault
      await env.control('POST', '/_faults', {
        ...fault,
        operation: pair.operation,
        name: machine.name + partOf(pair.operation),
      })
    }
    return affected
  }

  /** Waits until the condition is true. While no work is due, advances the clock to the next due time. */
  async function settle(description: string, condition: (machines: readonly Machine[]) => boolean): Promise<void> {
    let remaining = LIMIT
    await until(
      description,
      async () => {
        const machines = await machinesOf(admin, TRAINING)
        const pause = condition(machines) ? null : await untilNext()
        if (pause !== null && pause <= remaining) {
          remaining -= pause
          await env.step(pause)
          // Notify the worker instead of waiting for its next poll.
          await sql`select pg_notify(${dueChannel('machine')}, '')`.execute(env.db)
        }
        return machines
      },
      condition,
      90_000,
    )
    const { faults } = (await env.control('GET', '/_faults')).body
    expect(faults.filter(hadNoEffect)).toEqual([])
    await env.control('DELETE', '/_faults')
    // After this step, delayed changes are complete. A stop that appears after a later start would be ambiguous.
    await env.step(60)
  }

  /**
   * Returns the seconds until a machine is due; less while the provider is working; null while a machine is due or is
   * being processed.
   */
  async function untilNext(): Promise<number | null> {
    const { rows } = await sql<{ seconds: number | null; held: boolean | null; changing: boolean | null }>`
      select ceil(extract(epoch from min(reconcile_at) - portal_now()))::int as seconds,
        bool_or(leased_until is not null) as held, bool_or(observed = 'changing') as changing
      from machine where terminated_at is null`.execute(env.db)
    const { seconds, held, changing } = rows[0]!
    if (held === true || seconds === null || seconds <= 0) return null
    return changing === true ? Math.min(5, seconds) : seconds
  }

  async function expectConsistent(): Promise<void> {
    await until(
      'nothing differs from the provider’s record',
      async () => [
        ...(await machineDifferences(env.db, await env.truth(), 60)).map(describeDifference),
        ...(await brokenInvariants(env.db, { quiet: true })),
      ],
      (differences) => differences.length === 0,
    )
    expect(env.bugs).toEqual([])
    const early = sent.flatMap(({ operation, at, pause }, i) => {
      const next = pause === null ? undefined : sent.slice(i + 1).find((later) => later.operation === operation)
      return next !== undefined && next.at < at + pause! - SKEW ? [{ operation, waited: next.at - at }] : []
    })
    expect(early).toEqual([])
    const calls = Map.groupBy(sent, ({ operation }) => operation)
    expect([...calls].filter(([, times]) => times.length > CALLS_EACH).map(([operation]) => operation)).toEqual([])
    sent.length = 0
  }

  const power = (machines: readonly Machine[], operation: 0 | 1) =>
    admin('PATCH', '/azure/machines', [{ operation }, ...machines.map(refOf)])
  const refOf = ({ name, resourceGroup }: Machine) => ({ name, resourceGroup })
  const all = (status: string) => (machines: readonly Machine[]) =>
    machines.length === PAIRS.length && machines.every((machine) => machine.status === status)

  test('creates every machine exactly once and runs it', async () => {
    expect(await machinesOf(admin, TRAINING)).toHaveLength(PAIRS.length)
    await injectFaults('create')
    // Leases are long, because advancing the clock would let a short lease expire, and a second worker would process
    // the machine.
    await env.worker({ leaseSeconds: 3600 })
    await settle('all run', all('Running'))
    await expectConsistent()
    expect((await env.truth()).machines).toHaveLength(PAIRS.length)
  })

  test('ends every stop in Stopped', async () => {
    await injectFaults('stop')
    expect((await power(await machinesOf(admin, TRAINING), 0)).status).toBe(200)
    await settle('all stand', all('Stopped'))
    await expectConsistent()
  })

  test('ends every start in Running', async () => {
    await injectFaults('start')
    expect((await power(await machinesOf(admin, TRAINING), 1)).status).toBe(200)
    await settle('all run', all('Running'))
    await expectConsistent()
  })

  test('ends every restart and bills none of them twice', async () => {
    const affected = await injectFaults('restart')
    expect((await admin('PATCH', '/azure/machinesRestart', affected.map(refOf))).status).toBe(200)
    await settle('all run', all('Running'))
    await expectConsistent()
  })

  test('leaves no resource after a deletion', async () => {
    await injectFaults('delete')
    expect((await superadmin('DELETE', `/azure/killTraining?trainingName=${TRAINING}`)).status).toBe(200)
    await settle('all are gone', (machines) => machines.every(({ isAlive }) => !isAlive))
    await expectConsistent()
    const { machines, addresses, networkInterfaces, disks } = await env.truth()
    expect(machines.filter(({ exists }) => exists)).toEqual([])
    expect([...addresses, ...networkInterfaces, ...disks]).toEqual([])
  })

  test('reports a machine that the provider never finishes, and can still delete it', async () => {
    await env.control('POST', '/_faults', { kind: 'neverFinish', operation: 'VirtualMachines_CreateOrUpdate' })
    await admin('POST', '/azure/machines', order('Endless', ['endless@acme.test']))
    const one = async () => (await machinesOf(admin, 'Endless'))[0]!
    await until(
      'it is under way',
      () => env.truth(),
      ({ machines }) => machines.some(({ exists }) => exists),
    )
    const late = await until(
      'it says so',
      async () => {
        await env.step(60)
        return one()
      },
      ({ statusReason }) => statusReason !== null,
    )
    expect(late.statusReason).toContain('more than 15 minutes ago')
    await env.control('DELETE', '/_faults')
    expect((await superadmin('DELETE', '/azure/killTraining?trainingName=Endless')).status).toBe(200)
    await until('it is gone', one, ({ isAlive }) => !isAlive)
    await expectConsistent()
  })
})

/** Records changing calls by the provider's clock, and aborts calls without a reply. */
function recorded(sent: Sent[]): (wire: HttpClient) => HttpClient {
  const TIMEOUT_MS = 1_500
  return (wire) => ({
    async sendRequest(request) {
      const timeoutSignal = AbortSignal.timeout(TIMEOUT_MS)
      const callerSignal = request.abortSignal as AbortSignal | undefined
      const reply = await wire.sendRequest(
        createPipelineRequest({
          ...request,
          abortSignal: callerSignal === undefined ? timeoutSignal : AbortSignal.any([callerSignal, timeoutSignal]),
        }),
      )
      const pause = reply.status === 429 ? Number(reply.headers.get('retry-after')) : null
      if (request.method !== 'GET') {
        const at = Date.parse(reply.headers.get('date') ?? '') / 1000
        sent.push({ operation: `${request.method} ${new URL(request.url).pathname}`, at, pause })
      }
      // The SDK identifies an operation by its own request object.
      return { ...reply, request }
    },
  })
}
