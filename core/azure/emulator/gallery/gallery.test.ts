import { describe, expect, test } from 'vitest'
import { durationOf } from '../durations.ts'
import { inGroup, type Reply } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { machine, machineBody, openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'
import { exchangeOf } from '@trainyard/platform/emulator/test/exchange.ts'
import {
  exampleFolders,
  examplesIn,
  officialValidator,
  openApi,
  whyNoOpenApi,
} from '@trainyard/platform/emulator/test/official-validator.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const location = 'southindia'
const gallery = (name: string) => `${inGroup}/providers/Microsoft.Compute/galleries/${name}`
const image = (name: string) => `${gallery('shelf')}/images/${name}`
const version = (name: string) => `${image(name)}/versions/1.0.0`

const definition = (sku: string, overrides: object = {}) => ({
  location,
  properties: {
    osType: 'Linux',
    osState: 'Specialized',
    hyperVGeneration: 'V2',
    features: [{ name: 'SecurityType', value: 'TrustedLaunch' }],
    identifier: { publisher: 'acme', offer: 'lab', sku },
    ...overrides,
  },
})

const copyOf = (source: string, overrides: object = {}) => ({
  location,
  properties: {
    publishingProfile: { targetRegions: [{ name: location }] },
    storageProfile: { source: { virtualMachineId: machine(source) } },
    ...overrides,
  },
})

const trusted = { securityProfile: { securityType: 'TrustedLaunch' } }

const fromImage = (networkInterfaceName: string, id: string, overrides: object = {}) => {
  const { osProfile: _, ...properties } = machineBody(networkInterfaceName).properties
  const storageProfile = { ...properties.storageProfile, imageReference: { id } }
  return {
    ...machineBody(networkInterfaceName),
    properties: { ...properties, storageProfile, ...trusted, ...overrides },
  }
}

const access = (username: string, password: string) => ({
  location,
  properties: {
    publisher: 'Microsoft.OSTCExtensions',
    type: 'VMAccessForLinux',
    typeHandlerVersion: '1.5',
    protectedSettings: { username, password },
  },
})

const codeOf = ({ body }: Reply) => body.error?.code as unknown
const signIn = async (name: string, password: string, username = 'learner') =>
  (await emulator.control('POST', `/_machines/${name}/sign-in`, { username, password })).body.accepted as boolean

const emulator = await sharedTestEmulator({ latency: 1, clock: 'stepped' })
await openLab(emulator)
await putMachine(emulator, 'source')
await emulator.advance(2000)
await emulator.arm('PUT', gallery('shelf'), { location })
await emulator.advance(10)
await emulator.arm('PUT', image('lab'), definition('lab'))
await emulator.advance(10)

test('copies a stopped machine, reports the progress, and leaves the source usable', async () => {
  await emulator.arm('POST', `${machine('source')}/deallocate`)
  await emulator.advance(2000)
  expect((await emulator.arm('PUT', version('lab'), copyOf('source'))).body.properties.provisioningState).toBe(
    'Creating',
  )
  expect(codeOf(await emulator.arm('PUT', version('lab'), copyOf('source')))).toBe('Conflict')
  await emulator.advance(Math.ceil(durationOf('imageVersion', 'source') / 2))
  const inProgress = await emulator.arm('GET', `${version('lab')}?$expand=ReplicationStatus`)
  expect(inProgress.body.properties.replicationStatus.summary).toEqual([
    { region: location, state: 'Replicating', details: '', progress: 50 },
  ])
  expect(codeOf(await putMachine(emulator, 'early', fromImage('early', version('lab'))))).toBe('GalleryImageNotFound')
  await emulator.advance(2000)
  expect((await emulator.arm('GET', version('lab'))).body.properties.provisioningState).toBe('Succeeded')
  expect((await emulator.arm('PUT', version('lab'), copyOf('source'))).status).toBe(200)
  expect((await emulator.arm('POST', `${machine('source')}/start`)).status).toBe(202)
  await emulator.advance(2000)
  expect(await signIn('source', 'Sup3r-secret')).toBe(true)
})

test('creates a machine with the accounts of its specialized image and resets the password by VMAccess', async () => {
  const profile = machineBody('clone').properties.osProfile
  const refused = await putMachine(emulator, 'clone', fromImage('clone', version('lab'), { osProfile: profile }))
  expect([refused.status, codeOf(refused), refused.body.error.target]).toEqual([400, 'InvalidParameter', 'osProfile'])
  expect((await emulator.arm('PUT', machine('clone'), fromImage('clone', version('lab')))).status).toBe(201)
  const extension = `${machine('clone')}/extensions/password`
  expect(codeOf(await emulator.arm('PUT', extension, access('learner', 'Own-secret-1')))).toBe('Conflict')
  await emulator.advance(2000)
  expect(await signIn('clone', 'Sup3r-secret')).toBe(true)
  const requested = await emulator.arm('PUT', extension, access('learner', 'Own-secret-1'))
  expect(requested.status).toBe(201)
  expect(JSON.stringify(requested.body)).not.toContain('Own-secret-1')
  expect(await signIn('clone', 'Own-secret-1')).toBe(false)
  await emulator.advance(2000)
  expect(await signIn('clone', 'Own-secret-1')).toBe(true)
  expect(await signIn('clone', 'Sup3r-secret')).toBe(false)
  expect(await signIn('source', 'Sup3r-secret')).toBe(true)
  expect((await emulator.arm('GET', machine('clone'))).body.properties.provisioningState).toBe('Succeeded')
  const truth = await emulator.control('GET', '/_truth')
  expect(JSON.stringify(truth.body)).not.toContain('Own-secret-1')
})

test('enables Trusted Launch on generation 2 machines and their copies', async () => {
  expect((await emulator.arm('GET', machine('source'))).body.properties.securityProfile.securityType).toBe(
    'TrustedLaunch',
  )
  for (const features of [[], [{ name: 'SecurityType', value: 'TrustedLaunchSupported' }]]) {
    const name = `untrusted-${features.length}`
    await emulator.arm('PUT', image(name), definition(name, { features }))
    await emulator.advance(10)
    expect(codeOf(await emulator.arm('PUT', version(name), copyOf('source')))).toBe('InvalidParameter')
    await emulator.arm('DELETE', image(name))
    await emulator.advance(10)
  }
  const requested = await putMachine(
    emulator,
    'plain',
    fromImage('plain', image('lab'), { securityProfile: undefined }),
  )
  expect([requested.status, codeOf(requested)]).toEqual([400, 'BadRequest'])
  const standard = machineBody('standard')
  standard.properties.securityProfile = { securityType: 'Standard' }
  expect((await putMachine(emulator, 'standard', standard)).body.properties.securityProfile).toBeUndefined()
})

test('fails a copy whose source is deleted, with a reason', async () => {
  await putMachine(emulator, 'doomed')
  await emulator.advance(2000)
  await emulator.arm('PUT', image('doomed'), definition('doomed'))
  await emulator.advance(2000)
  expect((await emulator.arm('PUT', version('doomed'), copyOf('doomed'))).status).toBe(201)
  await emulator.arm('DELETE', machine('doomed'))
  await emulator.advance(2000)
  const failed = await emulator.arm('GET', `${version('doomed')}?$expand=ReplicationStatus`)
  expect(failed.body.properties.provisioningState).toBe('Failed')
  expect(failed.body.properties.replicationStatus.summary[0].details).toContain('was deleted')
})

test('deletes galleries only when they are empty', async () => {
  expect(codeOf(await emulator.arm('DELETE', gallery('shelf')))).toBe('CannotDeleteResource')
  expect(codeOf(await emulator.arm('DELETE', image('doomed')))).toBe('CannotDeleteResource')
  expect((await emulator.arm('DELETE', version('doomed'))).status).toBe(202)
  await emulator.advance(2000)
  expect((await emulator.arm('DELETE', image('doomed'))).status).toBe(202)
  await emulator.advance(2000)
  expect((await emulator.arm('DELETE', image('doomed'))).status).toBe(204)
  const { body } = await emulator.control('GET', '/_truth?part=galleries,imageDefinitions,imageVersions')
  expect([body.galleries.length, body.imageDefinitions.length, body.imageVersions.length]).toEqual([1, 1, 1])
})

describe('refusals', () => {
  test.each([
    ['a gallery name with a hyphen', () => emulator.arm('PUT', gallery('no-hyphen'), { location }), 'InvalidParameter'],
    [
      'an image in a missing gallery',
      () => emulator.arm('PUT', `${gallery('none')}/images/x`, definition('x')),
      'ResourceNotFound',
    ],
    ['a duplicate identifier', () => emulator.arm('PUT', image('twin'), definition('lab')), 'Conflict'],
    [
      'a change of the OS state of a definition',
      () => emulator.arm('PUT', image('lab'), definition('lab', { osState: 'Generalized' })),
      'PropertyChangeNotAllowed',
    ],
    [
      'an invalid version',
      () => emulator.arm('PUT', `${image('lab')}/versions/one`, copyOf('source')),
      'InvalidParameter',
    ],
    [
      'a copy of a missing machine',
      () => emulator.arm('PUT', `${image('lab')}/versions/2.0.0`, copyOf('nothing')),
      'ResourceNotFound',
    ],
    [
      'a copy for other regions only',
      () =>
        emulator.arm(
          'PUT',
          `${image('lab')}/versions/2.0.0`,
          copyOf('source', { publishingProfile: { targetRegions: [{ name: 'eastus' }] } }),
        ),
      'InvalidParameter',
    ],
    [
      'a change of the source of a version',
      () => emulator.arm('PUT', version('lab'), copyOf('clone')),
      'PropertyChangeNotAllowed',
    ],
    [
      'a machine with a missing image',
      () => putMachine(emulator, 'lost', fromImage('lost', `${image('lab')}/versions/9.0.0`)),
      'GalleryImageNotFound',
    ],
  ] as const)('%s', async (_what, sendRequest, code) => {
    expect(codeOf(await sendRequest())).toBe(code)
  })
})

describe.skipIf(openApi === undefined)(`Azure's published examples (skipped when ${whyNoOpenApi})`, () => {
  const root = openApi ?? ''
  const first = (pattern: RegExp) => examplesIn(root, exampleFolders.galleries, pattern)[0]?.parameters ?? {}
  const cases =
    openApi === undefined
      ? []
      : ([
          ['Gallery_Create', gallery('example'), first(/^Gallery_Create\.json$/).gallery],
          [
            'GalleryImage_Create',
            `${gallery('example')}/images/example`,
            first(/^GalleryImage_Create\.json$/).galleryImage,
          ],
        ] as const)

  test('accepts them and replies as published', { tags: ['storm'] }, async () => {
    const validate = await officialValidator(root)
    for (const [name, path, body] of cases) {
      const reply = await emulator.arm('PUT', path, body)
      expect([name, reply.status]).toEqual([name, 201])
      expect((await validate(exchangeOf('PUT', path, body, reply))).violations).toEqual([])
      await emulator.advance(10)
    }
    // The official example of a copy, with an existing machine and region.
    const example = first(/^GalleryImageVersion_Create_WithVmAsSource\.json$/).galleryImageVersion as {
      properties: { publishingProfile: { targetRegions: object[] } }
    }
    const properties = { ...example.properties, storageProfile: { source: { virtualMachineId: machine('source') } } }
    const [region] = properties.publishingProfile.targetRegions
    properties.publishingProfile = { targetRegions: [{ ...region, name: location }] }
    await emulator.arm('PUT', image('example'), definition('example'))
    await emulator.advance(10)
    expect((await emulator.arm('PUT', version('example'), { ...example, location, properties })).status).toBe(201)

    const [createExample] = examplesIn(
      root,
      exampleFolders.compute,
      /^VirtualMachine_Create_FromASpecializedSharedImage\.json$/,
    )
    const body = createExample?.parameters.parameters as ReturnType<typeof machineBody>
    body.location = location
    body.properties.storageProfile.imageReference.id = image('lab')
    body.properties.networkProfile = machineBody('example').properties.networkProfile
    Object.assign(body.properties, trusted)
    expect((await putMachine(emulator, 'example', body)).status).toBe(201)
  })
})
