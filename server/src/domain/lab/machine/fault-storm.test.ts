import { createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { differencesFrom } from '../../../invariants/against-truth.ts'
import { brokenInvariants } from '../../../invariants/check.ts'
import { machinesOf, order } from '#test/orders.ts'
import { until } from '#test/until.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { MACHINE_DUE } from './wake.ts'

/** Each operation that the reconciler orders at Azure, and each of them failing in each way: one machine a pair. */
const OPERATIONS = {
  create: ['PublicIPAddresses_CreateOrUpdate', 'NetworkInterfaces_CreateOrUpdate', 'VirtualMachines_CreateOrUpdate'],
  stop: ['VirtualMachines_Deallocate'],
  start: ['VirtualMachines_Start'],
  restart: ['VirtualMachines_Restart'],
  delete: ['VirtualMachines_Delete', 'NetworkInterfaces_Delete', 'PublicIPAddresses_Delete', 'Disks_Delete'],
} as const
type Deed = keyof typeof OPERATIONS

const PAUSE = 120
/** The two clocks are set one after the other, and calls are under way meanwhile. */
const SKEW = 30
const FAULTS = [
  { title: 'refused with a pause', kind: 'throttle', times: 2, retryAfter: PAUSE },
  { title: 'refused for the quota', kind: 'refuseQuota', times: 2 },
  { title: 'refused for want of room', kind: 'refuseCapacity', times: 2 },
  { title: 'refused to our credentials', kind: 'unauthorised', times: 2 },
  { title: 'broken', kind: 'serverError', times: 3 },
  { title: 'never answered', kind: 'hang', times: 1 },
  { title: 'answered with what can not be read', kind: 'malformed', times: 2 },
  { title: 'not done, and no answer', kind: 'dropConnection', times: 2 },
  { title: 'done, and the answer lost', kind: 'loseReply', times: 2 },
  { title: 'done late, and the answer lost', kind: 'doneLate', times: 1, seconds: 40 },
  { title: 'taken, and ended in failure', kind: 'finishFailed', times: 1 },
] as const

/** Pairs that the short form has in any case: machines that a failed operation leaves behind, or that are asked again. */
const ALWAYS: Readonly<Record<string, readonly (typeof FAULTS)[number]['kind'][]>> = {
  VirtualMachines_CreateOrUpdate: ['refuseCapacity', 'finishFailed'],
  VirtualMachines_Start: ['throttle', 'loseReply'],
}
/** The long form, `npm run storm`, has every pair; the short one some, each operation and each fault among them. */
const LONG = process.env.STORM === 'long'
const PAIRS = Object.entries(OPERATIONS)
  .flatMap(([deed, operations]) =>
    operations.flatMap((operation) => FAULTS.map((fault) => ({ deed: deed as Deed, operation, fault }))),
  )
  .filter(
    ({ deed, operation, fault }, i) =>
      LONG || i % (deed === 'create' ? 5 : 7) === 0 || ALWAYS[operation]?.includes(fault.kind) === true,
  )
/** Parts are deleted with their machine: alone only where something of it was left, which no fault here makes sure of. */
const didNothing = ({ operation, happened }: { operation: string; happened: number }): boolean =>
  happened === 0 && (!operation.endsWith('_Delete') || operation === 'VirtualMachines_Delete')
const PARTS = { PublicIPAddresses: '-ip', NetworkInterfaces: '-nic', Disks: '-os', VirtualMachines: '' }
const partOf = (operation: string) => PARTS[operation.split('_', 1)[0] as keyof typeof PARTS]
/** Ten minutes after the faults all must be right; the faults themselves ask for pauses before. */
const LIMIT = 1200
const TRAINING = 'Matrix'
/** A call tried this often within ten minutes is tried in a hot loop. */
const CALLS_EACH = 14

interface Sent {
  readonly operation: string
  readonly at: number
  readonly pause: number | null
}

const sent: Sent[] = []
const env = await sharedEnvironment({ overrides: { azure: { http: recorded(sent) } } })
const admin = await env.as('admin', 'admin@acme.test', await env.organisation('Acme'))
const superadmin = await env.as('superadmin', 'root@portal.test', null)
const emails = PAIRS.map((_, i) => `learner${i}@acme.test`)
await admin('POST', '/azure/machines', order(TRAINING, emails))

describe('the fault matrix of Azure', () => {
  /** A difference, with what was done to its machine. */
  const inWords = (difference: string) => {
    const pair = PAIRS[pairs.get(difference.split(' ', 1)[0]!) ?? -1]
    return pair === undefined ? difference : `${difference} (${pair.operation}, ${pair.fault.title})`
  }
  const pairs = new Map<string, number>()

  /** Its machine, by the learner that it was ordered for. */
  const machineFor = (machines: readonly Machine[], pair: number) =>
    machines.find(({ email }) => email === `learner${pair}@acme.test`)!

  async function breakThe(deed: Deed): Promise<Machine[]> {
    const machines = await machinesOf(admin, TRAINING)
    const struck: Machine[] = []
    for (const { name, email } of machines) pairs.set(name, Number(/\d+/.exec(email)))
    for (const [i, pair] of PAIRS.entries()) {
      if (pair.deed !== deed) continue
      const machine = machineFor(machines, i)
      struck.push(machine)
      const { title: _, ...fault } = pair.fault
      await env.control('POST', '/_faults', {
        ...fault,
        operation: pair.operation,
        name: machine.name + partOf(pair.operation),
      })
    }
    return struck
  }

  /** Waits until all is as it should be; where nobody has anything to do, time goes on to when somebody has. */
  async function settle(what: string, holds: (machines: readonly Machine[]) => boolean): Promise<void> {
    let left = LIMIT
    await until(
      what,
      async () => {
        const machines = await machinesOf(admin, TRAINING)
        const pause = holds(machines) ? null : await untilNext()
        if (pause !== null && pause <= left) {
          left -= pause
          await env.step(pause)
          // The worker need not wait for its next look at the clock.
          await sql`select pg_notify(${MACHINE_DUE}, '')`.execute(env.db)
        }
        return machines
      },
      holds,
      90_000,
    )
    const { faults } = (await env.control('GET', '/_faults')).body
    expect(faults.filter(didNothing)).toEqual([])
    await env.control('DELETE', '/_faults')
    // Late changes are done by then: of a stop that comes after a later start nobody could tell whose it is.
    await env.step(60)
  }

  /** Seconds until a machine is due, fewer while the provider is at work; null while one is due or worked on. */
  async function untilNext(): Promise<number | null> {
    const { rows } = await sql<{ seconds: number | null; held: boolean | null; changing: boolean | null }>`
      select ceil(extract(epoch from min(reconcile_at) - portal_now()))::int as seconds,
        bool_or(leased_until is not null) as held, bool_or(observed = 'changing') as changing
      from machine where terminated_at is null`.execute(env.db)
    const { seconds, held, changing } = rows[0]!
    if (held === true || seconds === null || seconds <= 0) return null
    return changing === true ? Math.min(5, seconds) : seconds
  }

  /** Fails the test on what is left over, billed wrongly, asked too early or too often. */
  async function expectAllRight(): Promise<void> {
    await until(
      'nothing differs from the provider’s record',
      async () => [
        ...(await differencesFrom(env.db, await env.truth(), 60)).map(inWords),
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
    admin('PATCH', '/azure/machines', [{ operation }, ...machines.map(named)])
  const named = ({ name, resourceGroup }: Machine) => ({ name, resourceGroup })
  const all = (status: string) => (machines: readonly Machine[]) =>
    machines.length === PAIRS.length && machines.every((machine) => machine.status === status)

  test('every creation comes to run, once', { timeout: 120_000 }, async () => {
    expect(await machinesOf(admin, TRAINING)).toHaveLength(PAIRS.length)
    await breakThe('create')
    // Time is stepped faster than a lease could be kept: one that ran out would let a machine be worked on twice.
    await env.worker({ leaseSeconds: 3600 })
    await settle('all run', all('Running'))
    await expectAllRight()
    expect((await env.truth()).machines).toHaveLength(PAIRS.length)
  })

  test('every stop comes to stand', { timeout: 120_000 }, async () => {
    await breakThe('stop')
    expect((await power(await machinesOf(admin, TRAINING), 0)).status).toBe(200)
    await settle('all stand', all('Stopped'))
    await expectAllRight()
  })

  test('every start comes to run', { timeout: 120_000 }, async () => {
    await breakThe('start')
    expect((await power(await machinesOf(admin, TRAINING), 1)).status).toBe(200)
    await settle('all run', all('Running'))
    await expectAllRight()
  })

  test('every restart ends, and none is billed twice', { timeout: 120_000 }, async () => {
    const struck = await breakThe('restart')
    expect((await admin('PATCH', '/azure/machinesRestart', struck.map(named))).status).toBe(200)
    await settle('all run', all('Running'))
    await expectAllRight()
  })

  test('of every deletion nothing is left', { timeout: 120_000 }, async () => {
    await breakThe('delete')
    expect((await superadmin('DELETE', `/azure/killTraining?trainingName=${TRAINING}`)).status).toBe(200)
    await settle('all are gone', (machines) => machines.every(({ isAlive }) => !isAlive))
    await expectAllRight()
    const { machines, addresses, networkInterfaces, disks } = await env.truth()
    expect(machines.filter(({ exists }) => exists)).toEqual([])
    expect([...addresses, ...networkInterfaces, ...disks]).toEqual([])
  })

  test(
    'a machine that the cloud never finishes says so, and can be deleted all the same',
    { timeout: 60_000 },
    async () => {
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
      await expectAllRight()
    },
  )
})

/** Notes what changes something at Azure, by the provider's own clock, and gives a call up that is not answered. */
function recorded(sent: Sent[]): (wire: HttpClient) => HttpClient {
  const PATIENCE_MS = 1_500
  return (wire) => ({
    async sendRequest(request) {
      const mine = AbortSignal.timeout(PATIENCE_MS)
      const theirs = request.abortSignal as AbortSignal | undefined
      const reply = await wire.sendRequest(
        createPipelineRequest({
          ...request,
          abortSignal: theirs === undefined ? mine : AbortSignal.any([theirs, mine]),
        }),
      )
      const pause = reply.status === 429 ? Number(reply.headers.get('retry-after')) : null
      if (request.method !== 'GET') {
        const at = Date.parse(reply.headers.get('date') ?? '') / 1000
        sent.push({ operation: `${request.method} ${new URL(request.url).pathname}`, at, pause })
      }
      // The SDK knows its operation by the request that it made itself.
      return { ...reply, request }
    },
  })
}
