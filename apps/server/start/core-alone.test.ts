/** @module-tag full */
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupNameOf } from '@trainyard/lab-users/contract/sandbox-words.ts'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { ADD_ONS, copyWithout } from '../../../scripts/leave-out.ts'
import { insertSession, makeProduct, type Product } from './test-product.ts'

/** Drives the main job of the specification on a copy of the product without any add-on, over HTTP. */
const tree = mkdtempSync(join(tmpdir(), 'trainyard-core-'))
let product: Product
let owner: Db

beforeAll(async () => {
  chmodSync(tree, 0o755)
  copyWithout(ADD_ONS, tree)
  product = await makeProduct('core', 0.01, {
    main: join(tree, 'apps/server/main.ts'),
    // Production takes no emulated payments. Without the add-on demo, there is no demo data.
    settings: { NODE_ENV: 'development' },
  })
  product.start()
  await until('the worker is up', product.health, (parts) => parts?.['worker'] === 'up')
  owner = connect({ connectionString: product.databaseUrl() }, { size: 2, as: 'owner' })
})
afterAll(async () => {
  await owner?.destroy()
  await product?.remove()
  removeFolder(tree)
})

type Body = Record<string, unknown>

const callerOf =
  (uid: string) =>
  async <Reply = Body>(method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await fetch(`${product.portal}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${uid}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await reply.json()) as Reply
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(answer)}`)
    return answer
  }

const control = async <Reply>(path: string, body: object): Promise<Reply> => {
  const reply = await fetch(`${product.emulator}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Reply
}

const TRAINING = 'Linux Basics'
const CARD = {
  name: 'Ubuntu',
  rate: 12.5,
  resourceGroup: 'labs',
  vmSize: 'Standard_DS1_v2',
  imageId: 'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest',
  location: 'southindia',
  os: 'Linux',
  vnet: 'labs-net',
  licence: 'none',
  isOfficial: false,
  cpu: '1',
  memory: '3.5 GB',
  storage: '30 GB',
  disk: 'SSD',
}

test('the core alone orders, runs, schedules and bills machines, takes payments, and makes sandboxes', async () => {
  const superadmin = callerOf(
    await insertSession(owner, { role: 'superadmin', email: 'boss@portal.test', organisation: null }),
  )
  await superadmin('POST', '/admin/organization', { organization: 'Acme' })
  await superadmin('POST', '/admin/template', CARD)
  await superadmin('POST', '/admin/assignTemplate', { organization: 'Acme', template: CARD.name })
  await superadmin('POST', '/admin/users', {
    email: 'admin@acme.test',
    password: 'a-Long-password-1',
    organization: 'Acme',
    userType: 'admin',
  })
  const { uid } = await callerOf('none')<{ uid: string }>('POST', '/user/login', {
    email: 'admin@acme.test',
    password: 'a-Long-password-1',
  })
  const admin = callerOf(uid)

  await admin('POST', '/azure/machines', {
    templateName: CARD.name,
    email: ['asha@acme.test', 'ravi@acme.test'],
    trainingName: TRAINING,
    allocatedHours: 600,
    createVmCount: 2,
    guacamole: false,
  })
  const query = `trainingName=${encodeURIComponent(TRAINING)}`
  const become = (status: string) =>
    until(
      `both machines are ${status}`,
      () => admin<Machine[]>('GET', `/azure/machines?${query}`),
      (machines) => machines.length === 2 && machines.every((machine) => machine.status === status),
    )
  const machines = await become('Running')
  const places = machines.map(({ name, resourceGroup }) => ({ name, resourceGroup }))
  await admin('PATCH', '/azure/machines', [{ operation: 0 }, ...places])
  await become('Stopped')

  const inAnHour = new Date(Date.now() + 3_600_000)
  const [date, time] = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Kolkata',
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(inAnHour)
    .split(' ')
  await admin('POST', '/azure/schedules', {
    trainingName: TRAINING,
    data: {
      schedules: [{ date, action: 'Start', time, status: 'Pending' }],
      restrictLogin: { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null },
    },
  })
  await control('/_clock', { advanceSeconds: 3_600 })
  await setPortalClock(owner, { ahead: 3_600 })
  await become('Running')
  const { schedules } = await admin<{ schedules: { status: string; result: unknown }[] }>(
    'GET',
    `/azure/schedules?${query}`,
  )
  expect(schedules).toMatchObject([{ status: 'Completed', result: { acted: 2, failed: 0 } }])

  await control('/_clock', { advanceSeconds: 3_600 })
  await setPortalClock(owner, { ahead: 7_200 })
  const bill = await admin<{ Amount: number; Duration: number; Status: object }>('GET', `/azure/billing?${query}`)
  expect(bill.Status).toEqual({ online: 2, offline: 0 })
  expect(bill.Duration).toBeGreaterThanOrEqual(2)
  expect(bill.Amount).toBeCloseTo(bill.Duration * 12.5, 0)

  await superadmin('POST', '/admin/ledger/addTransaction', {
    organization: 'Acme',
    id: 'A-1',
    amount: 1_000,
    date: '2026-01-31',
    type: 'invoice',
  })
  const { order_id, amount } = await admin<{ order_id: string; amount: number }>('POST', '/admin/ledger/order', {
    amount: 400,
  })
  const paid = await control<Body>('/_payments', { order_id })
  await admin('POST', '/admin/ledger/paymentVerify', {
    payment_id: paid['payment_id'],
    order_id,
    signature: paid['signature'],
    amount,
  })
  const account = await admin<{ legal: { balance: number } }>('GET', '/admin/ledger/accounts')
  expect(account.legal.balance).toBe(600)

  // Fields that only an add-on records are refused, because they would be lost.
  const receipt = { organization: 'Acme', id: 'R-1', amount: 100, date: '2026-01-31', type: 'payment' }
  for (const added of [{ tds: { amount: 10, section: '194J' } }, { settles: 'A-1' }])
    await expect(superadmin('POST', '/admin/ledger/addTransaction', { ...receipt, ...added })).rejects.toThrow(': 400 ')
  for (const pays of [{ prepaid: { trainingName: null } }, { proforma: 'PF-26-27-0001' }, { invoice: 'A-1' }])
    await expect(admin('POST', '/admin/ledger/order', { amount: 100, ...pays })).rejects.toThrow(
      / 400 .*(?:This portal|in this portal)/,
    )

  const user = { personalEmail: 'lee@home.test', duration: 5 }
  await superadmin('POST', '/sandbox/user', { username: 'lee', ...user })
  await superadmin('POST', '/aws/user', { username: 'kim', ...user })
  const ready = (path: string) =>
    until(
      `the lab user of ${path} is ready`,
      () => superadmin<{ users: { _id: string; status: string; email: string }[] }>('GET', path),
      ({ users }) => users[0]?.status === 'Ready',
    )
  await ready('/aws/user')
  const [lab] = (await ready('/sandbox/user')).users
  const learner = callerOf(await insertSession(owner, { role: 'sandboxuser', email: lab!.email, organisation: null }))
  await learner('POST', '/sandbox/azure', {
    resourceGroupName: groupNameOf(lab!._id as SandboxUserId, 'k8s'),
    resourceGroupLocation: 'southindia',
  })
  await until(
    'the sandbox is ready',
    () => learner<{ sandbox: { status: string }[] }>('GET', '/sandbox/azure'),
    ({ sandbox }) => sandbox[0]?.status === 'Ready',
  )
})
