/** @module-tag full */
/**
 * Compares bills with an independent model (the oracle) for random histories of orders, power changes, price changes,
 * deletions and changes at the provider.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { startSteppedEnvironment, type SteppedEnvironment } from '@trainyard/platform/test/stepped-environment.ts'
import { type ACTIONS, histories, type Step } from './test-histories.ts'
import { consumed, changeAtProvider, isBilled, type OracleMachine, owed, settle } from './test-oracle.ts'

/** The long form, `npm run storm`, runs as many histories as its time limit allows. */
const LONG = process.env.STORM === 'long'
const LIMIT = LONG ? 900_000 : 240_000
const TEMPLATE = 'template'

let env: SteppedEnvironment
let admin: string
let root: string
let history = 0
let entries = 0
/** The organisation's balance by its entries, over all histories, in paise. */
let balance = 0n

beforeAll(async () => {
  env = await startSteppedEnvironment('2030-01-01T00:00:00Z')
  await sql`
    with acme as (insert into organisation (name, logo) values ('Acme', null) returning id),
      admin as (insert into portal_user (email, role, organisation_id) select 'admin@acme.test', 'admin', id from acme
        union all select 'root@demo.test', 'superadmin', null),
      template as (insert into template (name, rate_paise, provider, place, size, image, os, licence,
        cpu, memory, storage, disk) values (${TEMPLATE}, 1250, 'azure',
        '{"group": "labs", "location": "southindia", "network": "net"}', '{"name": "Standard_DS1_v2"}',
        '{"id": "Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest"}', 'Linux', 'none', '1', '1', '1', '1') returning id)
    insert into template_assignment (organisation_id, template_id) select acme.id, template.id from acme, template`.execute(
    env.portal.owner,
  )
  admin = await env.portal.sessionOf('admin@acme.test')
  root = await env.portal.sessionOf('root@demo.test')
  await sql`update session set expires_at = '2999-01-01'`.execute(env.portal.owner)
})
afterAll(() => env.close())

async function send(
  uid: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const reply = await env.portal.request(method, path, { uid, body })
  return { status: reply.status, text: await reply.text() }
}
// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
async function read(path: string, uid = admin): Promise<any> {
  const { status, text } = await send(uid, 'GET', path)
  expect([path, status]).toEqual([path, 200])
  return JSON.parse(text)
}

const seconds = () => env.now() / 1000
const nameOf = (index: number) => `History ${history} course ${index}`
const pathOf = (index: number, path: string) =>
  `${path}?${new URLSearchParams({ trainingName: nameOf(index) }).toString()}`

/** State of one history. `machines` is by name. */
interface World {
  readonly machines: Map<string, OracleMachine>
  readonly vanished: Set<string>
  rate: number
}

const chosen = ({ machines }: World, which: number, among: (machine: OracleMachine) => boolean) => {
  const candidates = [...machines].filter(([, machine]) => among(machine))
  return candidates[which % Math.max(1, candidates.length)]
}

async function apply(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'order':
      return order(world, step)
    case 'price':
      world.rate = step.paise
      await sql`update template set rate_paise = ${step.paise} where name = ${TEMPLATE}`.execute(env.portal.owner)
      return
    case 'wait':
      return env.advance(step.seconds)
    case 'work':
      return work(world)
    case 'power':
      return power(world, step.which, step.operation)
    case 'restart': {
      const found = chosen(world, step.which, ({ state }) => state === 'running')
      if (found !== undefined) await send(admin, 'PATCH', '/azure/machinesRestart', [place(found[0])])
      return
    }
    case 'external':
      return changeExternally(world, step.which, step.action, step.noticedAfter)
    case 'quota':
      return moreQuota(world, step.training, step.minutes)
    case 'clearLogs':
      await send(root, 'DELETE', '/admin/logs', { trainingName: nameOf(step.training) })
      return
    case 'remove':
      return remove(world, step.training)
    case 'compare':
      return compare(world, step.training)
    case 'entry':
      return enter(step.type, step.paise)
  }
}

async function enter(type: 'invoice' | 'payment', paise: number): Promise<void> {
  const body = { organization: 'Acme', id: `E-${entries++}`, type, date: '2030-01-01', amount: paise / 100 }
  expect((await send(root, 'POST', '/admin/ledger/addTransaction', body)).status).toBe(200)
  balance += type === 'invoice' ? BigInt(paise) : -BigInt(paise)
}

async function order(world: World, { training, learners, guacamole, minutes }: Extract<Step, { kind: 'order' }>) {
  const ordered = await send(admin, 'POST', '/azure/machines', {
    templateName: TEMPLATE,
    email: Array.from({ length: learners }, (_, i) => `learner${i}@acme.test`),
    trainingName: nameOf(training),
    allocatedHours: minutes,
    createVmCount: learners,
    guacamole,
  })
  expect(ordered.status).toBe(200)
  for (const { name } of await read(pathOf(training, '/azure/machines'))) {
    if (world.machines.has(name)) continue
    // Browser access costs ₹5 per hour (spec.md section 9).
    const price = BigInt(world.rate) + (guacamole ? 500n : 0n)
    world.machines.set(name, {
      training: nameOf(training),
      price,
      allotted: minutes,
      wanted: 'running',
      state: 'none',
      billed: [],
    })
  }
}

async function work({ machines }: World): Promise<void> {
  await env.settle()
  for (const machine of machines.values()) settle(machine, seconds())
}

const place = (name: string) => ({ name, resourceGroup: 'labs' })

async function power(world: World, which: number, operation: 0 | 1): Promise<void> {
  const found = chosen(world, which, ({ wanted }) => wanted !== 'gone')
  if (found === undefined) return
  const [name, machine] = found
  const { status } = await send(admin, 'PATCH', '/azure/machines', [{ operation }, place(name)])
  expect([200, 409]).toContain(status)
  if (status === 200) machine.wanted = operation === 1 ? 'running' : 'stopped'
}

/** Changes a machine directly at the provider while the portal is settled. The portal polls within a minute. */
async function changeExternally(
  world: World,
  which: number,
  action: (typeof ACTIONS)[number],
  after: number,
): Promise<void> {
  await work(world)
  const found = chosen(world, which, (machine) => {
    if (action === 'start') return machine.state === 'stopped'
    return action === 'vanish' ? isBilled(machine) || machine.state === 'stopped' : machine.state === 'running'
  })
  if (found === undefined) return
  await env.changeOutside(found[0], action)
  changeAtProvider(found[1], action, seconds())
  if (action === 'vanish') world.vanished.add(found[0])
  await env.advance(after)
  await work(world)
}

async function moreQuota(world: World, index: number, increaseBy: number): Promise<void> {
  const before = [...world.machines.values()].filter((machine) => machine.training === nameOf(index))
  const { status } = await send(root, 'POST', '/admin/quota', { trainingName: nameOf(index), increaseBy })
  if (status !== 200) return
  const sum = () => before.reduce((total, { allotted }) => total + (allotted ?? 0), 0)
  const total = sum()
  for (const { name, quota } of await read(pathOf(index, '/azure/machines')))
    world.machines.get(name)!.allotted = quota.total
  expect(sum()).toBe(total + increaseBy)
}

async function remove(world: World, index: number): Promise<void> {
  await send(root, 'DELETE', pathOf(index, '/azure/killTraining'))
  for (const machine of world.machines.values()) if (machine.training === nameOf(index)) machine.wanted = 'gone'
}

/** Formats rupees with two decimals, exactly as the API does. */
const rupees = (paise: bigint): number =>
  Number(`${paise < 0n ? '-' : ''}${abs(paise) / 100n}.${String(abs(paise) % 100n).padStart(2, '0')}`)
const abs = (paise: bigint) => (paise < 0n ? -paise : paise)

async function compare(world: World, index: number): Promise<void> {
  const mine = [...world.machines].filter(([, machine]) => machine.training === nameOf(index))
  if (mine.length === 0) return
  expect(await brokenInvariants(env.portal.owner, { quiet: false })).toEqual([])
  const now = seconds()
  const sum = (of: (machine: OracleMachine) => bigint) => mine.reduce((total, [, machine]) => total + of(machine), 0n)
  const used = sum((machine) => consumed(machine, now))
  const amount = rupees(sum((machine) => owed(machine, now)))

  const billing = pathOf(index, '/azure/billing')
  const paths = [billing, `${billing}&lines=yes`, `${pathOf(index, '/azure/usage')}&days=90`]
  const texts = () => Promise.all(paths.map((path) => send(admin, 'GET', path).then(({ text }) => text)))
  const [first, again] = [await texts(), await texts()]
  expect(again).toEqual(first)
  const [bill, lines, usage] = first.map((text) => JSON.parse(text))
  expect(bill).toMatchObject({ Amount: amount, Duration: Math.round((Number(used) * 100) / 3600) / 100 })
  expect(lines).toMatchObject(bill)
  expect(
    lines.lines.map(({ machine, seconds, amountPaise, paisePerHour }: Record<string, unknown>) => [
      machine,
      seconds,
      amountPaise,
      paisePerHour,
    ]),
  ).toEqual(
    mine.map(([name, machine]) => [
      name,
      Number(consumed(machine, now)),
      Number(owed(machine, now)),
      Number(machine.price),
    ]),
  )
  const days = (usage.days as { amountPaise: number }[]).reduce((total, day) => total + BigInt(day.amountPaise), 0n)
  expect(rupees(days)).toBe(amount)
  expect((await read(pathOf(index, '/admin/quota'), root)).consumed).toBe(Number((used * 100n) / 60n) / 100)
  for (const { name, quota } of await read(pathOf(index, '/azure/machines'))) {
    expect([name, quota.consumed]).toEqual([
      name,
      Number((consumed(world.machines.get(name)!, now) * 100n) / 60n) / 100,
    ])
  }
}

/** Compares the oracle with the provider's record, so that an error that portal and oracle share is found. */
async function compareWithProvider({ machines, vanished }: World): Promise<void> {
  const record = await env.billed()
  for (const [name, machine] of machines) {
    const provider = (record.get(name) ?? []).reduce(
      (sum, { from, to }) => sum + (Date.parse(to!) - Date.parse(from)) / 1000,
      0,
    )
    // A deleted machine is billed until the portal notices, less than a minute later.
    const more = Number(consumed(machine, seconds())) - provider
    expect([name, more >= 0, vanished.has(name) ? more < 60 : more === 0]).toEqual([name, true, true])
  }
}

test('bills equal the oracle for random histories', { timeout: LIMIT }, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (given) => {
      history += 1
      const { rows } = await sql<{ rate: number }>`select rate_paise as rate from template`.execute(env.portal.owner)
      const world: World = { machines: new Map(), vanished: new Set(), rate: rows[0]!.rate }
      for (const step of given) await apply(world, step)
      expect((await read('/admin/ledger/accounts')).legal.balance).toBe(rupees(balance))
      for (const index of [0, 1]) {
        await compare(world, index)
        await remove(world, index)
      }
      await work(world)
      await env.advance(86_400)
      for (const index of [0, 1]) await compare(world, index)
      await compareWithProvider(world)
      expect(await brokenInvariants(env.portal.owner, { quiet: true })).toEqual([])
    }),
    // Shrinking stops before the test's timeout, so that the failing seed is still printed.
    { numRuns: LONG ? 150 : 3, plugins: [fc.interruptAfterTimeLimit(LIMIT - 15_000, { failOnInterrupt: true })] },
  )
})
