import { expect, test } from 'vitest'
import { imageOf } from './spec.ts'

const NO_PLAN = { plan_publisher: null, plan_product: null, plan_version: null }

test.each([
  ['/subscriptions/1/resourceGroups/../../other/images/x', NO_PLAN],
  ['/subscriptions//images/x', NO_PLAN],
  ['..:..:..:latest', NO_PLAN],
  ['a:b:c:latest', { plan_publisher: '..', plan_product: 'p', plan_version: '1' }],
])('rejects an older template with %s before it becomes part of a URL', (image_id, plan) => {
  expect(() => imageOf({ image_id, ...plan })).toThrow('is not a valid image ID')
})

const PLAN = { plan_publisher: 'acme', plan_product: 'labs', plan_version: null }
const OWN = '/subscriptions/1/resourceGroups/images/providers/Microsoft.Compute/images/lab'

test.each([
  ['a:b:c:1.2', NO_PLAN, { kind: 'platform', publisher: 'a', offer: 'b', sku: 'c', version: '1.2' }],
  ['a:b:c', NO_PLAN, { kind: 'platform', publisher: 'a', offer: 'b', sku: 'c', version: 'latest' }],
  ['a:b:c', { ...NO_PLAN, plan_version: '7' }, { kind: 'platform', version: '7' }],
  // A plan needs both parts. An incomplete plan is ignored.
  ['a:b:c', { ...PLAN, plan_product: null }, { kind: 'platform' }],
  ['a:b:c', { ...PLAN, plan_publisher: null }, { kind: 'platform' }],
  ['a:b:c:1.2', PLAN, { kind: 'marketplace', version: '1.2', plan: { publisher: 'acme', product: 'labs', name: 'c' } }],
  ['a:b:c', PLAN, { kind: 'marketplace', version: 'latest' }],
  ['a:b:c:1.2', { ...PLAN, plan_version: '7' }, { kind: 'marketplace', version: '7' }],
  [OWN, NO_PLAN, { kind: 'own', id: OWN }],
])('parses %s with the plan %j as %j', (image_id, plan, image) => {
  expect(imageOf({ image_id, ...plan })).toMatchObject(image)
})

test.each(['a', 'a:b'])('rejects %s permanently, because it is not an image', (image_id) => {
  const refused = expect.objectContaining({
    kind: 'refused',
    final: true,
    message: expect.stringMatching('neither'),
  })
  expect(() => imageOf({ image_id, ...NO_PLAN })).toThrow(refused)
})
