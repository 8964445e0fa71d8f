/** @module-tag full */
import { describe, expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { machineDifferences } from '@trainyard/machines/server/compare-machines.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, RATE } from '@trainyard/platform/test/orders.ts'
import { sharedTerminals, TRAINING } from '../test/terminals.ts'
import { until } from '@trainyard/platform/test/until.ts'

const at = await sharedTerminals()
const { env, admin } = at
const machineRefOf = ({ name, resourceGroup }: Machine) => ({ name, resourceGroup })
const one = async (name: string, training = TRAINING) =>
  (await machinesOf(admin, training)).find((machine) => machine.name === name)!
const becomes = (name: string, condition: (machine: Machine) => boolean, training = TRAINING) =>
  until(`${name} is as wanted`, () => one(name, training), condition)
const usable = ({ status, publicIp, adminPass }: Machine) =>
  status === 'Running' && publicIp !== null && adminPass !== null
const canSignIn = async ({ name, adminUsername }: Machine, password: string | null) => {
  const { body } = await env.control('POST', `/_machines/${name}/sign-in`, { username: adminUsername, password })
  return (body as { accepted: boolean }).accepted
}

const expectConsistent = (tolerance = 0) =>
  until(
    'nothing differs from the provider’s record',
    async () => [
      ...(await machineDifferences(env.db, await env.truth(), tolerance)),
      ...(await brokenInvariants(env.db, { quiet: true })),
    ],
    (differences) => differences.length === 0,
    60_000,
  )

/**
 * Returns the amount that the provider's own records imply for a training's machines, in paise, rounded once per
 * machine.
 */
async function owedPaise(training: string): Promise<number> {
  const ids = new Map((await machinesOf(admin, training)).map(({ _id }) => [_id, 0]))
  for (const { tags, billed } of (await env.truth()).machines) {
    const id = tags['trainyard-machine']!
    if (!ids.has(id)) continue
    const seconds = billed.map(({ from, to }) => (Date.parse(to!) - Date.parse(from)) / 1000)
    ids.set(
      id,
      seconds.reduce((sum, each) => sum + each, ids.get(id)!),
    )
  }
  return [...ids.values()].reduce((sum, seconds) => sum + Math.floor((seconds * (RATE + 500) * 2 + 3600) / 7200), 0)
}
const billOf = async (training: string) =>
  (await admin('GET', `/azure/billing?trainingName=${encodeURIComponent(training)}`)).body

describe('a running machine that is handed over to another learner', () => {
  test('belongs only to the new learner; the former learner loses password, terminal, ticket and calls', async () => {
    await env.step(600)
    const machine = await at.machineOf('one@acme.test')
    const { page } = await at.terminal('one@acme.test')
    const ticket = await at.ticketFor('one@acme.test', machine.name)
    const handOver = { ...machineRefOf(machine), email: 'three@acme.test' }
    // Only one of two concurrent requests hands over the machine.
    const both = await Promise.all([1, 2].map(() => admin('PATCH', '/azure/machinesLearner', handOver)))
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    expect(both.find(({ status }) => status === 200)!.body.message).toBe(
      `${machine.name} now belongs to three@acme.test. It is being restarted with a new password.`,
    )
    const training = encodeURIComponent(TRAINING)
    const { name } = machine
    const seen = await Promise.all([
      at.learner('GET', `/azure/machines?trainingName=${training}`),
      at.learner('GET', `/azure/vmnames?trainingName=${training}`),
      at.learner('GET', `/azure/billing?trainingName=${training}`),
      at.learner('GET', `/azure/logs?vmName=${name}`),
      at.learner('PATCH', '/azure/machines', [{ operation: 0 }, machineRefOf(machine)]),
      at.learner('PATCH', '/azure/machinesRestart', [machineRefOf(machine)]),
      at.learner('POST', '/remote/ticket', { vmName: name }),
    ])
    expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 404))
    const { body: offered } = await at.learner('GET', '/azure/trainingName?organization=Acme')
    expect(offered.trainingNames).toEqual([])
    expect(await at.refusal('one@acme.test', name, ticket)).toBe(REMOTE_MESSAGES.ticketRefused)
    expect((await page.firstMessage('ended')).sentence).toContain(name)

    const after = await becomes(name, usable)
    expect(after.email).toBe('three@acme.test')
    expect(await canSignIn(machine, machine.adminPass)).toBe(false)
    expect(await canSignIn(after, after.adminPass)).toBe(true)
    const learner = await env.signIn('user', 'three@acme.test', at.acme)
    // The progress of the restart and the used minutes change between two reads.
    const [own, ...others] = await machinesOf(learner, TRAINING)
    expect(own).toEqual({ ...after, progress: own!.progress, quota: own!.quota })
    expect(others).toEqual([])
    const invited = await env.db
      .selectFrom('invitation')
      .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
      .select('portal_user.email')
      .where('portal_user.email', '=', 'three@acme.test')
      .execute()
    expect(invited).toHaveLength(1)
    await expectConsistent()
    // The run was not interrupted: the log has one run that began before the hand-over and continued after it.
    expect((await admin('GET', `/azure/logs?vmName=${name}`)).body.logs).toHaveLength(1)
  })

  test("closes the event stream of the former learner's page", async () => {
    const machine = await at.machineOf('three@acme.test')
    await env.signIn('user', 'three@acme.test', at.acme)
    const { token, url } = await env.credentials('three@acme.test')
    const stream = await fetch(`${url}/azure/machines/events?trainingName=${encodeURIComponent(TRAINING)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain(machine.name)
    expect(
      (await admin('PATCH', '/azure/machinesLearner', { ...machineRefOf(machine), email: 'one@acme.test' })).status,
    ).toBe(200)
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      expect(part.value).not.toContain('one@acme.test')
    }
    await becomes(machine.name, usable)
  })

  test('is refused to users of other or no organisations, to its learner, and to users without permission', async () => {
    const machine = await at.machineOf('one@acme.test')
    await env.signIn('user', 'learner@globex.test', at.globex)
    await env.signIn('sandboxuser', 'lab@labs.test', null)
    const refusal = (email: string) =>
      `${email} cannot be added to this organisation. Use another address, or contact support.`
    const handOverTo = async (email: string, caller = admin) => {
      const { status, body } = await caller('PATCH', '/azure/machinesLearner', { ...machineRefOf(machine), email })
      return [status, body.message]
    }
    expect(await handOverTo('learner@globex.test')).toEqual([409, refusal('learner@globex.test')])
    expect(await handOverTo('lab@labs.test')).toEqual([409, refusal('lab@labs.test')])
    expect(await handOverTo('one@acme.test')).toEqual([409, `${machine.name} already belongs to one@acme.test.`])
    expect((await handOverTo('no address'))[0]).toBe(400)
    expect((await handOverTo('two@acme.test', at.learner))[0]).toBe(403)
    expect((await handOverTo('learner@globex.test', at.stranger))[0]).toBe(404)
    for (const [method, path] of [
      ['DELETE', '/azure/machines'],
      ['PATCH', '/azure/machinesReset'],
    ] as const) {
      expect((await at.learner(method, path, [machineRefOf(machine)])).status).toBe(403)
      expect((await at.stranger(method, path, [machineRefOf(machine)])).status).toBe(404)
      const wrongGroup = { ...machineRefOf(machine), resourceGroup: 'elsewhere' }
      expect((await admin(method, path, [wrongGroup])).status).toBe(404)
      expect(
        (await admin(method, path, [machineRefOf(machine), { ...machineRefOf(machine), name: 'nothing' }])).status,
      ).toBe(404)
      expect((await admin(method, path, [])).status).toBe(400)
    }
    expect(await one(machine.name)).toMatchObject({ email: 'one@acme.test', status: 'Running' })
  })

  test('gets its password at the next start if stopped, and shows no password before', async () => {
    const machine = await at.machineOf('one@acme.test')
    const power = (operation: 0 | 1) => admin('PATCH', '/azure/machines', [{ operation }, machineRefOf(machine)])
    expect((await power(0)).status).toBe(200)
    await becomes(machine.name, ({ status }) => status === 'Stopped')
    const { body } = await admin('PATCH', '/azure/machinesLearner', {
      ...machineRefOf(machine),
      email: 'four@acme.test',
    })
    expect(body.message).toContain('at the next start')
    expect(await one(machine.name)).toMatchObject({ status: 'Stopped', adminPass: null, email: 'four@acme.test' })
    await env.step(300)
    // The first attempt inside the machine fails, is reported, and is retried.
    await env.control('POST', '/_faults', {
      kind: 'finishFailed',
      operation: 'VirtualMachineExtensions_CreateOrUpdate',
      times: 1,
    })
    expect((await power(1)).status).toBe(200)
    const after = await becomes(machine.name, usable)
    expect(await canSignIn(machine, machine.adminPass)).toBe(false)
    expect(await canSignIn(after, after.adminPass)).toBe(true)
    await expectConsistent()
  })
})

describe('a running machine that is reset', () => {
  test('is recreated for its learner on an empty disk; its run ends, and its used hours still count', async () => {
    const before = await at.machineOf('two@acme.test')
    await env.db
      .updateTable('machine')
      .set({ allotted_minutes: 600 as never })
      .where('name', '=', before.name)
      .execute()
    const { page } = await at.terminal('two@acme.test')
    page.type('echo mine > note; cat note\r')
    await at.prints(page, 'cat note\r\nmine')
    await env.step(1_200)
    const ticket = await at.ticketFor('two@acme.test', before.name)
    const both = await Promise.all([1, 2].map(() => admin('PATCH', '/azure/machinesReset', [machineRefOf(before)])))
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    expect(await one(before.name)).not.toMatchObject({ adminPass: before.adminPass })
    expect(await at.refusal('two@acme.test', before.name, ticket)).toBe(REMOTE_MESSAGES.ticketRefused)
    await page.firstMessage('ended')
    const after = await becomes(before.name, usable)
    expect(after).toMatchObject({ _id: before._id, name: before.name, email: before.email, osType: before.osType })
    expect(after.quota.consumed).toBeGreaterThanOrEqual(20)
    expect(await canSignIn(before, before.adminPass)).toBe(false)
    expect(await canSignIn(after, after.adminPass)).toBe(true)
    const created = (await env.truth()).machines.filter(({ tags }) => tags['trainyard-machine'] === before._id)
    expect(created.map(({ exists }) => exists).sort((a, b) => Number(a) - Number(b))).toEqual([false, true])
    await expectConsistent()
    expect((await admin('GET', `/azure/logs?vmName=${before.name}`)).body.logs).toHaveLength(2)
    const reopened = await at.terminal('two@acme.test')
    reopened.page.type('ls -a; echo looked\r')
    await at.prints(reopened.page, 'looked\r\n')
    expect(reopened.page.printed()).not.toContain('note')
  })

  test('is recreated and stopped again if it was stopped, also after temporary refusals', async () => {
    const machine = await at.machineOf('two@acme.test')
    expect((await admin('PATCH', '/azure/machines', [{ operation: 0 }, machineRefOf(machine)])).status).toBe(200)
    await becomes(machine.name, ({ status }) => status === 'Stopped')
    for (const operation of ['VirtualMachines_Delete', 'VirtualMachines_CreateOrUpdate']) {
      await env.control('POST', '/_faults', { kind: 'throttle', operation, times: 1, retryAfter: 1 })
    }
    await env.control('POST', '/_faults', { kind: 'loseReply', operation: 'VirtualMachines_Delete', times: 1 })
    expect((await admin('PATCH', '/azure/machinesReset', [machineRefOf(machine)])).status).toBe(200)
    // Advance the clock through pauses after refusals and through the duration of operations at the provider.
    const after = await until(
      'it was recreated and stopped',
      async () => {
        await env.step(10)
        const { machines } = await env.truth()
        const created = machines.filter(({ tags }) => tags['trainyard-machine'] === machine._id)
        return { ...(await one(machine.name)), created: created.length }
      },
      ({ created, status }) => created === 3 && status === 'Stopped',
      25_000,
    )
    expect(after.adminPass).not.toBe(machine.adminPass)
    await env.control('DELETE', '/_faults')
    await expectConsistent(60)
  })
})

describe('a running machine that is deleted', () => {
  test('is deleted with all its resources; other machines remain, and its full cost is owed', async () => {
    const machine = await at.machineOf('four@acme.test')
    const otherMachine = await at.machineOf('two@acme.test')
    expect((await admin('PATCH', '/azure/machines', [{ operation: 1 }, machineRefOf(otherMachine)])).status).toBe(200)
    await becomes(otherMachine.name, usable)
    await env.step(1_000)
    const both = await Promise.all([1, 2].map(() => admin('DELETE', '/azure/machines', [machineRefOf(machine)])))
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    const deleted = await becomes(machine.name, ({ status }) => status === 'Terminated')
    expect(deleted).toMatchObject({ isAlive: false, adminPass: null })
    for (const path of ['/azure/machinesReset', '/azure/machinesRestart'] as const) {
      expect((await admin('PATCH', path, [machineRefOf(machine)])).status).toBe(409)
    }
    expect(await one(otherMachine.name)).toMatchObject({ status: 'Running' })
    await expectConsistent()
    expect((await admin('PATCH', '/azure/machines', [{ operation: 0 }, machineRefOf(otherMachine)])).status).toBe(200)
    await becomes(otherMachine.name, ({ status }) => status === 'Stopped')
    const bill = await billOf(TRAINING)
    expect(Math.round(bill.Amount * 100)).toBe(await owedPaise(TRAINING))
    expect(bill.Amount).toBeGreaterThan(0)
    expect(env.bugs).toEqual([])
    const audited = await env.db
      .selectFrom('audit')
      .select(['call', (eb) => eb.fn.countAll<number>().as('times')])
      .where('refused', 'is', null)
      .where('call', 'in', ['machine.remove', 'machine.reset', 'machine.handOver'])
      .groupBy('call')
      .orderBy('call')
      .execute()
    expect(audited).toEqual([
      { call: 'machine.handOver', times: 3 },
      { call: 'machine.remove', times: 1 },
      { call: 'machine.reset', times: 2 },
    ])
    // An order for the same learners still creates one machine each.
    expect((await admin('POST', '/azure/machines', order('Another', ['one@acme.test']))).status).toBe(200)
  })
})
