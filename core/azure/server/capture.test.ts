import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { watchContract } from '@trainyard/platform/test/azure-official/watch.ts'
import type { Capture } from '@trainyard/templates/server/cloud.ts'
import type { AzureImageSpec, AzureMachineSpec } from './azure-spec.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { machineSpec, WINDOWS } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'

/** Images at the emulator. Every message is checked against Azure's published contract. */

const watch = watchContract()

const azure = await sharedEmulatedAzure()
const cloud = azure.machines(watch.http)
afterEach(() => azure.clearFaults())
afterAll(async () => {
  await watch.settle()
})

const imageOf = (spec: AzureMachineSpec, number: number): AzureImageSpec => ({
  ...spec,
  id: `0198c0de-0000-7000-8000-e${String(number).padStart(11, '0')}`,
})

async function stopped(number: number, overrides: Partial<AzureMachineSpec> = {}): Promise<AzureMachineSpec> {
  const spec = machineSpec(number, overrides)
  await cloud.createMachine(spec, signal())
  await cloud.stopMachine(spec, signal())
  return spec
}

/** Repeats the capture step until it ends, as the job does. */
async function captured(image: AzureImageSpec, by = cloud): Promise<Capture> {
  for (let turn = 0; turn < 12; turn++) {
    const capture = await by.captureMachine(image, signal()).catch((problem: unknown) => {
      if (problem instanceof CloudError && problem.kind !== 'refused') return null
      throw problem
    })
    if (capture !== null && capture.state !== 'working') return capture
  }
  throw new Error('No image came of it.')
}

describe.each([
  ['Linux', 40, {}],
  ['Windows', 50, { ...WINDOWS, name: 'win-50' }],
] as const)('a %s machine', (_os, number, more) => {
  test('is captured unchanged, and each machine created from the image gets its own password', async () => {
    const source = await stopped(number, more)
    const capture = await captured(imageOf(source, number))
    expect(capture.state).toBe('ready')
    const clones = [1, 2].map((i) =>
      machineSpec(number + i, {
        ...more,
        name: `clone-${number + i}`,
        image: { kind: 'own', id: capture.id },
        adminPassword: `Own-Secret-${number + i}`,
      }),
    )
    for (const clone of clones) {
      await cloud.createMachine(clone, signal())
      expect(await azure.signIn(clone.name, clone.adminUsername, source.adminPassword)).toBe(true)
      const account = { ...clone, username: clone.adminUsername, password: clone.adminPassword, passwordNumber: 1 }
      for (let time = 1; time <= 2; time++) expect(await cloud.setPassword(account, signal())).toBe('set')
    }
    await cloud.startMachine(source, signal())
    for (const machine of [source, ...clones]) {
      for (const owner of [source, ...clones]) {
        const accepted = await azure.signIn(machine.name, 'trainee', owner.adminPassword)
        expect([machine.name, owner.name, accepted]).toEqual([machine.name, owner.name, machine === owner])
      }
    }
    expect((await azure.truth()).calls['VirtualMachines_Generalize']).toBeUndefined()
  })
})

test('keeps Trusted Launch in the image and in machines created from it', async () => {
  const requests: { readonly url: string; readonly body: string }[] = []
  const observed = azure.machines((wire) => ({
    sendRequest(request) {
      const { body, method, url } = request
      if (method === 'PUT' && typeof body === 'string') requests.push({ url, body })
      return watch.http(wire).sendRequest(request)
    },
  }))
  const source = await stopped(98)
  const { id } = await captured(imageOf(source, 98), observed)
  const definition = requests.find(({ url }) => /\/images\/[^/]+\?/.test(url))
  expect(JSON.parse(definition!.body).properties.features).toEqual([{ name: 'SecurityType', value: 'TrustedLaunch' }])
  await observed.createMachine(machineSpec(99, { image: { kind: 'own', id } }), signal())
  const machine = requests.findLast(({ url }) => url.includes('/virtualMachines/'))
  expect(JSON.parse(machine!.body).properties.securityProfile).toEqual({ securityType: 'TrustedLaunch' })
  expect((await observed.getMachine(machineSpec(99), signal())).seen.state).toBe('running')
})

describe('a lost reply', () => {
  test.each(['Galleries_CreateOrUpdate', 'GalleryImages_CreateOrUpdate', 'GalleryImageVersions_CreateOrUpdate'])(
    'of %s still leads to a single image',
    async (operation) => {
      const number = 60 + operation.length
      // Each case has a separate group, so that a gallery must be created.
      const source = await stopped(number, { resourceGroup: `group-${number}` })
      await azure.fault({ operation, kind: 'loseReply', times: 1 })
      const image = imageOf(source, number)
      await expect(cloud.captureMachine(image, signal())).rejects.toMatchObject({ kind: 'unreachable' })
      expect((await captured(image)).state).toBe('ready')
      const versions = (await azure.images()).filter(({ tags }) => tags['trainyard-image'] === image.id)
      expect(versions).toHaveLength(1)
    },
  )

  test('of a password change does not set the password twice', async () => {
    const source = await stopped(90)
    const { id } = await captured(imageOf(source, 90))
    const clone = machineSpec(91, { image: { kind: 'own', id }, adminPassword: 'Own-Secret-91' })
    await cloud.createMachine(clone, signal())
    await azure.fault({ operation: 'VirtualMachineExtensions_CreateOrUpdate', kind: 'loseReply', times: 1 })
    const account = { ...clone, username: clone.adminUsername, password: clone.adminPassword, passwordNumber: 1 }
    await expect(cloud.setPassword(account, signal())).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await cloud.setPassword(account, signal())).toBe('set')
  })
})

test('reports the reason of a failed capture, and deletes its resources', async () => {
  const source = await stopped(95)
  await azure.fault({
    operation: 'GalleryImageVersions_CreateOrUpdate',
    kind: 'finishFailed',
    code: 'InternalServerError',
    message: 'The disk could not be read.',
    times: 1,
  })
  const image = imageOf(source, 95)
  expect(await captured(image)).toMatchObject({ state: 'failed', reason: expect.stringContaining('could not be read') })
  for (const remaining of ['something', 'something', 'nothing']) {
    expect((await cloud.deleteImage(image, signal())).remaining).toBe(remaining)
  }
})

test('retries a password that could not be set, and never shows the password in errors', async () => {
  const spec = machineSpec(96)
  await cloud.createMachine(spec, signal())
  await azure.fault({ operation: 'VirtualMachineExtensions_CreateOrUpdate', kind: 'finishFailed', times: 2 })
  const account = { ...spec, username: 'trainee', password: 'Own-Secret-96', passwordNumber: 1 }
  expect(await cloud.setPassword(account, signal())).toBe('working')
  const error = await cloud.setPassword(account, signal()).catch((problem: Error) => problem)
  expect(error).toMatchObject({ kind: 'conflict' })
  expect(JSON.stringify([error, String(error)])).not.toContain(account.password)
  expect(await cloud.setPassword(account, signal())).toBe('set')
  expect(await azure.signIn(spec.name, 'trainee', account.password)).toBe(true)
})

test('refuses to capture a machine that does not exist', async () => {
  await expect(cloud.captureMachine(imageOf(machineSpec(97), 97), signal())).rejects.toMatchObject({
    kind: 'refused',
  })
})

function signal(): AbortSignal {
  return AbortSignal.timeout(20_000)
}
