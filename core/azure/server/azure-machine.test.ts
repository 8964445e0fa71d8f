import { expect, test } from 'vitest'
import { azureMachineOf, imageOf } from './azure-machine.ts'

test.each([
  ['/subscriptions/1/resourceGroups/../../other/images/x', null],
  ['/subscriptions//images/x', null],
  ['..:..:..:latest', null],
  ['a:b:c:latest', { publisher: '..', product: 'p', version: '1' }],
])('rejects an older template with %s before it becomes part of a URL', (id, plan) => {
  expect(() => imageOf({ id, plan })).toThrow('is not a valid image ID')
})

const PLAN = { publisher: 'acme', product: 'labs', version: '7' }
const OWN = '/subscriptions/1/resourceGroups/images/providers/Microsoft.Compute/images/lab'

test.each([
  ['a:b:c:1.2', null, { kind: 'platform', publisher: 'a', offer: 'b', sku: 'c', version: '1.2' }],
  ['a:b:c', null, { kind: 'platform', publisher: 'a', offer: 'b', sku: 'c', version: 'latest' }],
  ['a:b:c', undefined, { kind: 'platform' }],
  ['a:b:c:1.2', PLAN, { kind: 'marketplace', version: '7', plan: { publisher: 'acme', product: 'labs', name: 'c' } }],
  [OWN, null, { kind: 'own', id: OWN }],
])('parses %s with the plan %j as %j', (id, plan, image) => {
  expect(imageOf({ id, plan })).toMatchObject(image)
})

const refused = (message: RegExp) =>
  expect.objectContaining({ kind: 'refused', final: true, message: expect.stringMatching(message) })

test.each(['a', 'a:b'])('rejects %s permanently, because it is not an image', (id) => {
  expect(() => imageOf({ id })).toThrow(refused(/neither/))
})

const SPEC = {
  id: 'id',
  organisation: 'Acme',
  training: 'Linux',
  name: 'linux-1',
  place: { group: 'labs', location: 'southindia', network: 'net' },
  securityGroup: 'ports',
  size: { name: 'Standard_D2s_v3' },
  os: 'Linux',
  licence: 'none',
  image: { id: 'a:b:c' },
  adminUsername: 'u',
  adminPassword: 'p',
  tags: {},
} as const

test('translates place and size to the terms of Azure, with defaults for the disk', () => {
  const own = { resourceGroup: 'labs', location: 'southindia', network: 'net', size: 'Standard_D2s_v3' }
  const defaults = { disk: { sku: 'StandardSSD_LRS', encryptionSet: null }, encryptionAtHost: false }
  expect(azureMachineOf(SPEC)).toMatchObject({ ...own, ...defaults, bootDiagnostics: false, name: 'linux-1' })
  expect(azureMachineOf(SPEC)).not.toHaveProperty('place')
})

test('rejects the place and the size of another provider permanently', () => {
  const elsewhere = { ...SPEC, place: { group: 'default', location: 'host', pool: 'local' } }
  expect(() => azureMachineOf(elsewhere)).toThrow(refused(/place is not one of Azure[^]*network/))
  const small = { ...SPEC, size: { name: 'small', disk: '10GiB' } }
  expect(() => azureMachineOf(small)).toThrow(refused(/size is not one of Azure[^]*disk/))
})
