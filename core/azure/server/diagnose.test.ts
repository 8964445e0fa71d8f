import { describe, expect, test } from 'vitest'
import type { AzureImage } from './azure-spec.ts'
import { azureDiagnosis } from './diagnose.ts'
import { parseImageDefinitionId } from './gallery-names.ts'
import { ABSENT, type Reply, SUBSCRIPTION, wireOf } from '@trainyard/platform/test/azure-wire.ts'

/** Responses in each form that Azure's published schemas allow. */

const signal = () => AbortSignal.timeout(10_000)
const answered = (reply: Reply) => azureDiagnosis(wireOf(() => reply))

describe('the subscription', () => {
  test.each([
    [
      { displayName: 'Labs', tenantId: 't', state: 'Enabled' },
      { name: 'Labs', tenantId: 't', state: 'Enabled' },
    ],
    // The name is optional; the id replaces it.
    [
      { tenantId: 't', state: 'Disabled' },
      { name: SUBSCRIPTION, tenantId: 't', state: 'Disabled' },
    ],
  ])('reads %j', async (body, expected) => {
    expect(await answered({ body }).subscription(signal())).toEqual({ ...expected, at: expect.any(Date) })
  })

  test.each([{ tenantId: 't' }, { state: 'Enabled' }, {}])('cannot be read from %j', async (body) => {
    await expect(answered({ body }).subscription(signal())).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test.each<[Reply, string, RegExp]>([
    [{ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'No.' } } }, 'unauthorised', /Authoriz/],
    // A proxy's error page is not quoted as Azure's message.
    [{ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }, 'unreachable', /status 502/],
    [{ status: 418, body: '' }, 'refused', /Azure answered 418/],
  ])('reports %j as %s', async (reply, kind, message) => {
    await expect(answered(reply).subscription(signal())).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message),
    })
  })
})

test.each([
  [{ value: [{ actions: ['*'], notActions: ['a/write'] }] }, [{ actions: ['*'], notActions: ['a/write'] }]],
  [{ value: [{}] }, [{ actions: [], notActions: [] }]],
])('reads the permissions %j as %j', async (body, permissions) => {
  expect(await answered({ body }).permissions(null, signal())).toEqual(permissions)
  expect(await answered({ body }).permissions('labs', signal())).toEqual(permissions)
})

test('rejects permissions that are not a list, and returns null for a missing group', async () => {
  await expect(answered({ body: {} }).permissions(null, signal())).rejects.toMatchObject({ kind: 'unreachable' })
  expect(await answered(ABSENT).permissions('labs', signal())).toBeNull()
  const refused = answered({ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'No.' } } })
  await expect(refused.permissions('labs', signal())).rejects.toMatchObject({ kind: 'unauthorised' })
})

test('reads a provider, a group and a network with optional fields missing', async () => {
  expect(await answered({ body: { registrationState: 'Registering' } }).registration('N', signal())).toBe('Registering')
  expect(await answered({ body: {} }).registration('N', signal())).toBeNull()
  expect(await answered(ABSENT).registration('N', signal())).toBeNull()
  expect(await answered({ body: { location: 'southindia' } }).group('labs', signal())).toEqual({
    location: 'southindia',
  })
  expect(await answered(ABSENT).group('labs', signal())).toBeNull()
  const network = (body: object) => answered({ body }).network('labs', 'net', signal())
  expect(await network({ location: 'southindia', properties: { subnets: [{}, {}] } })).toEqual({
    location: 'southindia',
    subnets: 2,
  })
  expect(await network({})).toEqual({ location: '', subnets: 0 })
  expect(await answered(ABSENT).network('labs', 'net', signal())).toBeNull()
})

describe('an image at a location', () => {
  const platform = (version: string): AzureImage => ({
    kind: 'platform',
    publisher: 'p',
    offer: 'o',
    sku: 's',
    version,
  })
  const galleryImage = (path: string, subscription = SUBSCRIPTION): AzureImage => ({
    kind: 'own',
    id: `/subscriptions/${subscription}/resourceGroups/images/providers/Microsoft.Compute/${path}`,
  })
  const hasImage = (image: AzureImage, reply: Reply) => answered(reply).hasImage(image, 'southindia', signal())
  const version = (name: string, ...regions: string[]) => ({
    name,
    properties: { publishingProfile: { targetRegions: regions.map((region) => ({ name: region })) } },
  })
  const versions = { body: { value: [version('1.0.0', 'eastus'), version('2.0.0', 'eastus', 'South India')] } }

  test.each<[string, AzureImage, Reply, boolean]>([
    ['a version of a publisher', platform('1.2'), { body: { location: 'southindia', name: '1.2' } }, true],
    ['a version that is not there', platform('1.2'), ABSENT, false],
    ['the latest of some', platform('latest'), { body: [{ location: 'southindia', name: '1.2' }] }, true],
    ['the latest of none', platform('latest'), { body: [] }, false],
    ['the latest of an offer that is not there', platform('latest'), ABSENT, false],
    ['a managed image', galleryImage('images/lab'), { body: { location: 'southindia' } }, true],
    [
      'a managed image, the place written as people do',
      galleryImage('images/lab'),
      { body: { location: 'South India' } },
      true,
    ],
    ['a managed image elsewhere', galleryImage('images/lab'), { body: { location: 'eastus' } }, false],
    ['a managed image that is not there', galleryImage('images/lab'), ABSENT, false],
    ['a definition with a version there', galleryImage('galleries/g/images/lab'), versions, true],
    ['its latest version', galleryImage('galleries/g/images/lab/versions/latest'), versions, true],
    ['its version that is there', galleryImage('galleries/g/images/lab/versions/2.0.0'), versions, true],
    ['its version that is elsewhere', galleryImage('galleries/g/images/lab/versions/1.0.0'), versions, false],
    ['its version that it has not', galleryImage('galleries/g/images/lab/versions/3.0.0'), versions, false],
    [
      'a version that says no region',
      galleryImage('galleries/g/images/lab'),
      { body: { value: [{ name: '1.0.0' }] } },
      false,
    ],
    ['a definition that is not there', galleryImage('galleries/g/images/lab'), ABSENT, false],
  ])('%s', async (_, image, reply, there) => {
    expect(await hasImage(image, reply)).toBe(there)
  })

  test('reads a managed image by group and name, and a gallery only in this subscription', async () => {
    const requests: string[] = []
    const diagnosis = azureDiagnosis(wireOf(() => ABSENT, requests))
    await diagnosis.hasImage(galleryImage('images/lab'), 'southindia', signal())
    expect(requests).toEqual(['GET /resourceGroups/images/providers/Microsoft.Compute/images/lab'])
    const foreign = galleryImage('galleries/g/images/lab', '00000000-0000-4000-8000-000000000002')
    await expect(diagnosis.hasImage(foreign, 'southindia', signal())).rejects.toMatchObject({ kind: 'refused' })
    expect(requests).toHaveLength(1)
  })
})

test.each([
  [
    '/subscriptions/S/resourceGroups/G/providers/Microsoft.Compute/galleries/A/images/I/versions/1.0.0',
    { subscriptionId: 'S', resourceGroup: 'G', gallery: 'A', definition: 'I' },
  ],
  ['/subscriptions/S/resourceGroups/G/providers/Microsoft.Compute/images/I', null],
  ['', null],
])('reads the definition of %j as %j', (id, index) => {
  expect(parseImageDefinitionId(id)).toEqual(index)
})
