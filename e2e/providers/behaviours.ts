import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { Orphan } from '@trainyard/provider-costs/contract/cost.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { FILE_PIECE_BYTES } from '@trainyard/platform/contract/words/file.ts'
import { fileTransfers, sha256 } from '@trainyard/remote-access/test/file-transfers.ts'
import { openWatcher } from '@trainyard/remote-access/test/terminal-page.ts'
import type { TestProvider } from './provider.ts'
import { startWorld, untilPrinted, type World } from './world.ts'

/** Time limit of a right state after a kill, in ms. */
export const AFTER_KILL_MS = 120_000
/** Maximum difference of a bill from the provider's record, in seconds, per run. */
const BILL_SECONDS = 6

/** Defines the tests that every provider of machines passes. They share one portal and run in order. */
export function behavesAsProvider(provider: TestProvider, more: (world: () => World) => void = () => {}): void {
  let world: World
  beforeAll(async () => {
    world = await startWorld(provider)
  })
  afterAll(async () => {
    await world?.portal.stop()
    await provider.close()
  })
  const atProvider = () => provider.machines(world.portal)
  const untilGone = (names: readonly string[]) =>
    until('the provider has deleted them', atProvider, (all) => names.every((name) => !all.has(name)))
  const first = async (training: string): Promise<Machine> => (await world.machines(training))[0]!

  test('creates the ordered machines, each once, and each answers in a terminal', async () => {
    const ordered = await world.order('Life', 2)
    const reported = await atProvider()
    for (const { name } of ordered) expect(reported.get(name)).toBe(true)
    expect(new Set(ordered.map(({ publicIp }) => publicIp)).size).toBe(2)
    for (const { name } of ordered) expect(await world.run(name, 'echo $((40 + 2))')).toBe('42')
  })

  test('carries a file to the machine and back, and shows the terminal to an admin whom the learner allows', async () => {
    const { name, email } = await first('Life')
    const files = fileTransfers(await world.wayOf(email))
    const bytes = randomBytes(2 * FILE_PIECE_BYTES + 1_234)
    const upload = await files.begin({ vmName: name, direction: 'upload', path: 'sent.bin', size: bytes.length })
    expect(await files.putAll(upload.transfer.id, bytes)).toMatchObject({ status: 200, ended: true })
    const download = await files.begin({ vmName: name, direction: 'download', path: 'sent.bin' })
    const received = Buffer.from(await (await files.get(download.transfer.id)).arrayBuffer())
    expect(sha256(received).equals(sha256(bytes))).toBe(true)

    const terminal = await world.openTerminal(name, email)
    const watcher = await openWatcher(await world.wayOf(world.admin))
    try {
      const { password } = await world.call<{ password: string }>(world.admin, 'POST', '/remote/watch', {
        vmName: name,
      })
      watcher.send({ kind: 'watch', machine: name, ticket: password })
      const { watchers } = await terminal.firstMessage('watchers')
      terminal.send({ kind: 'watcher', id: watchers[0]!.id, answer: 'allow' })
      await watcher.firstMessage('screen')
      terminal.type('sha256sum sent.bin\n')
      await untilPrinted(watcher, sha256(bytes).toString('hex'))
    } finally {
      watcher.close()
      terminal.close()
    }
  })

  test('stops a machine and starts it again, with its files', async () => {
    const { name } = await first('Life')
    await world.run(name, 'echo kept > kept')
    await world.power(0, await first('Life'))
    await world.untilStatus(name, 'Life', 'Stopped')
    await world.power(1, await first('Life'))
    await world.untilStatus(name, 'Life', 'Running')
    expect(await world.run(name, 'cat kept')).toBe('kept')
  })

  test('restarts a machine', async () => {
    const { name, resourceGroup } = await first('Life')
    await world.call(world.admin, 'PATCH', '/azure/machinesRestart', [{ name, resourceGroup }])
    await world.untilStatus(name, 'Life', 'Running')
    expect(await world.run(name, 'cat kept')).toBe('kept')
  })

  test('accepts the same command twice at once', async () => {
    const machine = await first('Life')
    const answers = await Promise.all([world.power(0, machine), world.power(0, machine)])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    await world.untilStatus(machine.name, 'Life', 'Stopped')
    const again = await first('Life')
    await Promise.all([world.power(1, again), world.power(1, again)])
    await world.untilStatus(machine.name, 'Life', 'Running')
  })

  test('reaches the right state if the replies to a stop and to a start are lost', async () => {
    const machine = await first('Life')
    await provider.loseReply(world.portal, 'stop')
    await world.power(0, machine)
    await world.untilStatus(machine.name, 'Life', 'Stopped')
    await provider.loseReply(world.portal, 'start')
    await world.power(1, await first('Life'))
    await world.untilStatus(machine.name, 'Life', 'Running')
  })

  test('creates one machine if the reply to the creation is lost', async () => {
    const before = (await atProvider()).size
    await provider.loseReply(world.portal, 'create')
    const [machine] = await world.order('Lost', 1)
    expect((await atProvider()).size).toBe(before + 1)
    expect(await world.run(machine!.name, 'echo here')).toBe('here')
  })

  test('adopts a stop and a start from outside the portal', async () => {
    const { name } = await first('Lost')
    await provider.outside(world.portal, name, 'stop')
    await world.untilStatus(name, 'Lost', 'Stopped')
    await provider.outside(world.portal, name, 'start')
    await world.untilStatus(name, 'Lost', 'Running')
  })

  test('keeps the states while the provider does not answer, and continues afterwards', async () => {
    const machine = await first('Lost')
    await provider.setReachable(world.portal, false)
    await world.sweep()
    await world.power(0, machine)
    await until(
      'the portal has tried',
      () => first('Lost'),
      ({ status, statusReason }) => status === 'Failing' && statusReason !== null,
    )
    expect((await first('Lost')).isAlive).toBe(true)
    await provider.setReachable(world.portal, true)
    await world.untilStatus(machine.name, 'Lost', 'Stopped')
    await world.power(1, await first('Lost'))
    await world.untilStatus(machine.name, 'Lost', 'Running')
  })

  test('hands a machine to another learner with another password', async () => {
    const before = await first('Lost')
    const { name, resourceGroup } = before
    await world.order('Handed', 1)
    const email = (await first('Handed')).email
    await world.call(world.admin, 'PATCH', '/azure/machinesLearner', { name, resourceGroup, email })
    const after = await until(
      'it has another password',
      () => first('Lost'),
      (now) => now.email === email && now.adminPass !== before.adminPass && now.status === 'Running',
    )
    expect(after.name).toBe(name)
    expect(await world.run(name, 'echo handed')).toBe('handed')
  })

  test('resets a machine: its files are gone, and it has one record', async () => {
    const { name, resourceGroup } = await first('Life')
    expect(await world.run(name, 'cat kept')).toBe('kept')
    await world.call(world.admin, 'PATCH', '/azure/machinesReset', [{ name, resourceGroup }])
    await until(
      'the reset has begun',
      () => world.machine(name, 'Life'),
      ({ status }) => status !== 'Running',
    )
    await world.untilStatus(name, 'Life', 'Running')
    expect(await world.run(name, 'cat kept || echo gone')).toContain('gone')
    expect((await world.machines('Life')).length).toBe(2)
  })

  test('bills what the provider reports', async () => {
    const { name } = await first('Lost')
    await world.power(0, await first('Lost'))
    await world.untilStatus(name, 'Lost', 'Stopped')
    const { logs } = await world.call<{ logs: { duration: number; stop: string | null }[] }>(
      world.admin,
      'GET',
      `/azure/logs?vmName=${name}`,
    )
    expect(logs.every(({ stop }) => stop !== null)).toBe(true)
    const billed = logs.reduce((sum, { duration }) => sum + duration * 60, 0)
    const reported = await provider.secondsRun(world.portal, name)
    expect(Math.abs(billed - reported), `${billed} billed, ${reported} reported`).toBeLessThan(
      BILL_SECONDS * logs.length,
    )
  })

  test('makes an image of a changed machine, and the next order boots it with the change', async () => {
    const { name } = await first('Handed')
    await world.run(name, 'echo from the image > changed')
    await world.power(0, await first('Handed'))
    await world.untilStatus(name, 'Handed', 'Stopped')
    await world.call(world.admin, 'POST', '/admin/capture', { vm: name })
    const image = await world.untilCaptured(name)
    await provider.saveCard(world.portal, 'From an image', image.imageId!)
    const assigned = { organization: world.organization, template: 'From an image' }
    await world.call(world.superadmin, 'POST', '/admin/assignTemplate', assigned)
    const [copy] = await world.order('Copies', 1, 'From an image')
    const changed = await world.run(copy!.name, 'cat changed')
    expect(changed).toBe(provider.imagesHaveFiles ? 'from the image' : '')
    // The portal knows only the new password of the copy.
    expect(copy!.adminPass).not.toBe((await first('Handed')).adminPass)
  })

  test('opens a port within two seconds, and closes it', async () => {
    const { name, publicIp } = await first('Copies')
    const isOpen = await provider.serve(world.portal, { name, address: publicIp! })
    expect(await isOpen()).toBe(false)
    const training = { trainingName: 'Copies' }
    await world.call(world.admin, 'POST', '/azure/ports', { ...training, port: 18_080, priority: 1001 })
    const begun = Date.now()
    await until('the port is open', isOpen, Boolean, 20_000)
    expect(Date.now() - begun).toBeLessThan(2_000 * SLOW)
    await world.call(world.admin, 'DELETE', '/azure/ports', { ...training, port: 18_080 })
    await until('the port is closed', isOpen, (open) => !open, 20_000)
  })

  test('tells about a limit of the provider, and creates the machine once it is lifted', async () => {
    await provider.limitMachines(world.portal, true)
    await world.place('Limited', 1)
    const refused = await until(
      'the limit is told',
      () => first('Limited'),
      (machine) => machine?.status === 'Failing',
    )
    expect(refused.statusReason).toMatch(provider.limitSentence)
    await provider.limitMachines(world.portal, false)
    await world.power(1, refused)
    await world.untilStatus(refused.name, 'Limited', 'Running')
  })

  test('lists an orphan, and deletes it on request', async () => {
    const name = await provider.makeOrphan(world.portal)
    const orphans = async () =>
      (await world.call<{ orphans: Orphan[] }>(world.superadmin, 'GET', '/admin/orphans')).orphans
    const all = await until('it is listed', orphans, (list) => list.some((each) => each.name === name))
    const { resourceGroup } = all.find((each) => each.name === name)!
    const body = { resourceGroup, name, confirm: name }
    await world.call(world.superadmin, 'POST', '/admin/orphans/deletion', body)
    await untilGone([name])
  })

  test('notices that a machine was deleted outside the portal', async () => {
    const { name } = await first('Limited')
    await provider.outside(world.portal, name, 'delete')
    const gone = await until(
      'it is terminated',
      () => first('Limited'),
      ({ isAlive }) => !isAlive,
    )
    expect(gone.statusReason).toBe('It was deleted at the cloud outside of this portal.')
  })

  test('creates each machine once although the portal is killed meanwhile', { timeout: 300_000 }, async () => {
    const before = (await atProvider()).size
    await world.place('Killed', 2)
    await until('the creation has begun', atProvider, (all) => all.size > before)
    await world.portal.crash()
    await world.untilMachines(
      'Killed',
      'both run',
      (all) => all.every(({ status, publicIp }) => status === 'Running' && publicIp !== null),
      AFTER_KILL_MS,
    )
    expect((await atProvider()).size).toBe(before + 2)
  })

  test('stops and deletes machines although the portal is killed meanwhile', { timeout: 300_000 }, async () => {
    const [one, two] = await world.machines('Killed')
    await world.power(0, one!)
    await world.call(world.admin, 'DELETE', '/azure/machines', [{ name: two!.name, resourceGroup: two!.resourceGroup }])
    await world.portal.crash()
    await world.untilStatus(one!.name, 'Killed', 'Stopped')
    await untilGone([two!.name])
  })

  test('deletes all machines of a training', async () => {
    const names = (await Promise.all(['Killed', 'Copies'].map(world.machines))).flat().map(({ name }) => name)
    for (const training of ['Killed', 'Copies']) {
      const query = new URLSearchParams({ organization: world.organization, trainingName: training })
      await world.call(world.superadmin, 'DELETE', `/azure/killTraining?${query}`)
    }
    await untilGone(names)
  })

  more(() => world)

  test('has exactly the machines that the provider reports', async () => {
    const names = [...world.trainings]
    const isOwn = (name: string) => names.some((training) => name.startsWith(training.toLowerCase().slice(0, 4)))
    const lists = async () => {
      const alive = (await Promise.all(names.map((name) => world.machines(name)))).flat().filter((each) => each.isAlive)
      const own = alive.map(({ name, status }) => [name, status === 'Running'] as const)
      return { own: sorted(own), reported: sorted([...(await atProvider())].filter(([name]) => isOwn(name))) }
    }
    await until('both lists are equal', lists, ({ own, reported }) => own === reported)
  })
}

const sorted = (all: readonly (readonly [string, boolean])[]): string =>
  JSON.stringify(all.toSorted(([one], [other]) => one.localeCompare(other)))

/** Factor on time limits for people where CI shares the processor. */
const SLOW = process.env['CI'] === 'true' ? 5 : 1
