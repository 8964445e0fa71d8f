import { describe, expect, test } from 'vitest'
import { durationOf } from '#src/azure/durations.ts'
import { inGroup, type Reply } from '#test/far-end.ts'
import { machine, machineBody, openLab, putMachine } from '#test/lab.ts'
import { exchangeOf } from '#test/exchange.ts'
import { exampleFolders, examplesIn, officialJudge, openApi, whyNot } from '#test/official-contract.ts'
import { sharedFarEnd } from '#test/shared.ts'

const location = 'southindia'
const gallery = (name: string) => `${inGroup}/providers/Microsoft.Compute/galleries/${name}`
const image = (name: string) => `${gallery('shelf')}/images/${name}`
const version = (name: string) => `${image(name)}/versions/1.0.0`

const definition = (sku: string, more: object = {}) => ({
  location,
  properties: {
    osType: 'Linux',
    osState: 'Specialized',
    hyperVGeneration: 'V2',
    features: [{ name: 'SecurityType', value: 'TrustedLaunch' }],
    identifier: { publisher: 'acme', offer: 'lab', sku },
    ...more,
  },
})

const copyOf = (source: string, more: object = {}) => ({
  location,
  properties: {
    publishingProfile: { targetRegions: [{ name: location }] },
    storageProfile: { source: { virtualMachineId: machine(source) } },
    ...more,
  },
})

const trusted = { securityProfile: { securityType: 'TrustedLaunch' } }

const fromImage = (networkInterfaceName: string, id: string, more: object = {}) => {
  const { osProfile: _, ...properties } = machineBody(networkInterfaceName).properties
  const storageProfile = { ...properties.storageProfile, imageReference: { id } }
  return { ...machineBody(networkInterfaceName), properties: { ...properties, storageProfile, ...trusted, ...more } }
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
  (await farEnd.control('POST', `/_machines/${name}/sign-in`, { username, password })).body.accepted as boolean

const farEnd = await sharedFarEnd({ latency: 1, clock: 'stepped' })
await openLab(farEnd)
await putMachine(farEnd, 'source')
await farEnd.advance(2000)
await farEnd.arm('PUT', gallery('shelf'), { location })
await farEnd.advance(10)
await farEnd.arm('PUT', image('lab'), definition('lab'))
await farEnd.advance(10)

test('a copy of a stopped machine takes its time, says how far it is, and leaves the source usable', async () => {
  await farEnd.arm('POST', `${machine('source')}/deallocate`)
  await farEnd.advance(2000)
  expect((await farEnd.arm('PUT', version('lab'), copyOf('source'))).body.properties.provisioningState).toBe('Creating')
  expect(codeOf(await farEnd.arm('PUT', version('lab'), copyOf('source')))).toBe('Conflict')
  await farEnd.advance(Math.ceil(durationOf('imageVersion', 'source') / 2))
  const half = await farEnd.arm('GET', `${version('lab')}?$expand=ReplicationStatus`)
  expect(half.body.properties.replicationStatus.summary).toEqual([
    { region: location, state: 'Replicating', details: '', progress: 50 },
  ])
  expect(codeOf(await putMachine(farEnd, 'early', fromImage('early', version('lab'))))).toBe('GalleryImageNotFound')
  await farEnd.advance(2000)
  expect((await farEnd.arm('GET', version('lab'))).body.properties.provisioningState).toBe('Succeeded')
  expect((await farEnd.arm('PUT', version('lab'), copyOf('source'))).status).toBe(200)
  expect((await farEnd.arm('POST', `${machine('source')}/start`)).status).toBe(202)
  await farEnd.advance(2000)
  expect(await signIn('source', 'Sup3r-secret')).toBe(true)
})

test('a machine made of a specialized image brings its accounts, takes none, and gets another password by VMAccess', async () => {
  const profile = machineBody('clone').properties.osProfile
  const refused = await putMachine(farEnd, 'clone', fromImage('clone', version('lab'), { osProfile: profile }))
  expect([refused.status, codeOf(refused), refused.body.error.target]).toEqual([400, 'InvalidParameter', 'osProfile'])
  expect((await farEnd.arm('PUT', machine('clone'), fromImage('clone', version('lab')))).status).toBe(201)
  const own = `${machine('clone')}/extensions/password`
  expect(codeOf(await farEnd.arm('PUT', own, access('learner', 'Own-secret-1')))).toBe('Conflict')
  await farEnd.advance(2000)
  expect(await signIn('clone', 'Sup3r-secret')).toBe(true)
  const asked = await farEnd.arm('PUT', own, access('learner', 'Own-secret-1'))
  expect(asked.status).toBe(201)
  expect(JSON.stringify(asked.body)).not.toContain('Own-secret-1')
  expect(await signIn('clone', 'Own-secret-1')).toBe(false)
  await farEnd.advance(2000)
  expect(await signIn('clone', 'Own-secret-1')).toBe(true)
  expect(await signIn('clone', 'Sup3r-secret')).toBe(false)
  expect(await signIn('source', 'Sup3r-secret')).toBe(true)
  expect((await farEnd.arm('GET', machine('clone'))).body.properties.provisioningState).toBe('Succeeded')
  const truth = await farEnd.control('GET', '/_truth')
  expect(JSON.stringify(truth.body)).not.toContain('Own-secret-1')
})

test('a machine of the second generation is Trusted Launch, and so is what is made of it', async () => {
  expect((await farEnd.arm('GET', machine('source'))).body.properties.securityProfile.securityType).toBe(
    'TrustedLaunch',
  )
  for (const features of [[], [{ name: 'SecurityType', value: 'TrustedLaunchSupported' }]]) {
    const name = `untrusted-${features.length}`
    await farEnd.arm('PUT', image(name), definition(name, { features }))
    await farEnd.advance(10)
    expect(codeOf(await farEnd.arm('PUT', version(name), copyOf('source')))).toBe('InvalidParameter')
    await farEnd.arm('DELETE', image(name))
    await farEnd.advance(10)
  }
  const asked = await putMachine(farEnd, 'plain', fromImage('plain', image('lab'), { securityProfile: undefined }))
  expect([asked.status, codeOf(asked)]).toEqual([400, 'BadRequest'])
  const standard = machineBody('standard')
  standard.properties.securityProfile = { securityType: 'Standard' }
  expect((await putMachine(farEnd, 'standard', standard)).body.properties.securityProfile).toBeUndefined()
})

test('a copy whose source is deleted fails, and says why', async () => {
  await putMachine(farEnd, 'doomed')
  await farEnd.advance(2000)
  await farEnd.arm('PUT', image('doomed'), definition('doomed'))
  await farEnd.advance(2000)
  expect((await farEnd.arm('PUT', version('doomed'), copyOf('doomed'))).status).toBe(201)
  await farEnd.arm('DELETE', machine('doomed'))
  await farEnd.advance(2000)
  const failed = await farEnd.arm('GET', `${version('doomed')}?$expand=ReplicationStatus`)
  expect(failed.body.properties.provisioningState).toBe('Failed')
  expect(failed.body.properties.replicationStatus.summary[0].details).toContain('was deleted')
})

test('galleries go from the inside out, and are found again after a restart', async () => {
  expect(codeOf(await farEnd.arm('DELETE', gallery('shelf')))).toBe('CannotDeleteResource')
  expect(codeOf(await farEnd.arm('DELETE', image('doomed')))).toBe('CannotDeleteResource')
  expect((await farEnd.arm('DELETE', version('doomed'))).status).toBe(202)
  await farEnd.advance(2000)
  expect((await farEnd.arm('DELETE', image('doomed'))).status).toBe(202)
  await farEnd.advance(2000)
  expect((await farEnd.arm('DELETE', image('doomed'))).status).toBe(204)
  const { body } = await farEnd.control('GET', '/_truth?part=galleries,imageDefinitions,imageVersions')
  expect([body.galleries.length, body.imageDefinitions.length, body.imageVersions.length]).toEqual([1, 1, 1])
})

describe('refuses', () => {
  test.each([
    ['a gallery name with a hyphen', () => farEnd.arm('PUT', gallery('no-hyphen'), { location }), 'InvalidParameter'],
    [
      'an image in no gallery',
      () => farEnd.arm('PUT', `${gallery('none')}/images/x`, definition('x')),
      'ResourceNotFound',
    ],
    ['an identifier that is taken', () => farEnd.arm('PUT', image('twin'), definition('lab')), 'Conflict'],
    [
      'another kind of system for a definition',
      () => farEnd.arm('PUT', image('lab'), definition('lab', { osState: 'Generalized' })),
      'PropertyChangeNotAllowed',
    ],
    [
      'a version that is no version',
      () => farEnd.arm('PUT', `${image('lab')}/versions/one`, copyOf('source')),
      'InvalidParameter',
    ],
    [
      'a copy of nothing',
      () => farEnd.arm('PUT', `${image('lab')}/versions/2.0.0`, copyOf('nothing')),
      'ResourceNotFound',
    ],
    [
      'a copy for elsewhere only',
      () =>
        farEnd.arm(
          'PUT',
          `${image('lab')}/versions/2.0.0`,
          copyOf('source', { publishingProfile: { targetRegions: [{ name: 'eastus' }] } }),
        ),
      'InvalidParameter',
    ],
    [
      'another source for a version',
      () => farEnd.arm('PUT', version('lab'), copyOf('clone')),
      'PropertyChangeNotAllowed',
    ],
    [
      'a machine of an image that there is not',
      () => putMachine(farEnd, 'lost', fromImage('lost', `${image('lab')}/versions/9.0.0`)),
      'GalleryImageNotFound',
    ],
  ] as const)('%s', async (_what, ask, code) => {
    expect(codeOf(await ask())).toBe(code)
  })
})

describe.skipIf(openApi === undefined)(`Azure's published examples (skipped when ${whyNot})`, () => {
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

  test('are accepted, and answered as published', async () => {
    const judge = await officialJudge(root)
    for (const [name, path, body] of cases) {
      const reply = await farEnd.arm('PUT', path, body)
      expect([name, reply.status]).toEqual([name, 201])
      expect((await judge(exchangeOf('PUT', path, body, reply))).violations).toEqual([])
      await farEnd.advance(10)
    }
    // The official example of a copy, its machine and regions put where they stand here.
    const example = first(/^GalleryImageVersion_Create_WithVmAsSource\.json$/).galleryImageVersion as {
      properties: { publishingProfile: { targetRegions: object[] } }
    }
    const properties = { ...example.properties, storageProfile: { source: { virtualMachineId: machine('source') } } }
    const [region] = properties.publishingProfile.targetRegions
    properties.publishingProfile = { targetRegions: [{ ...region, name: location }] }
    await farEnd.arm('PUT', image('example'), definition('example'))
    await farEnd.advance(10)
    expect((await farEnd.arm('PUT', version('example'), { ...example, location, properties })).status).toBe(201)

    const [made] = examplesIn(root, exampleFolders.compute, /^VirtualMachine_Create_FromASpecializedSharedImage\.json$/)
    const body = made?.parameters.parameters as ReturnType<typeof machineBody>
    body.location = location
    body.properties.storageProfile.imageReference.id = image('lab')
    body.properties.networkProfile = machineBody('example').properties.networkProfile
    Object.assign(body.properties, trusted)
    expect((await putMachine(farEnd, 'example', body)).status).toBe(201)
  }, 30_000)
})
