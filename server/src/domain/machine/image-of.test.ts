import { expect, test } from 'vitest'
import { imageOf } from './spec.ts'

const NO_PLAN = { plan_publisher: null, plan_product: null, plan_version: null }

test.each([
  ['/subscriptions/1/resourceGroups/../../other/images/x', NO_PLAN],
  ['/subscriptions//images/x', NO_PLAN],
  ['..:..:..:latest', NO_PLAN],
  ['a:b:c:latest', { plan_publisher: '..', plan_product: 'p', plan_version: '1' }],
])('an older template that names %s is refused where its address would be built', (image_id, plan) => {
  expect(() => imageOf({ image_id, ...plan })).toThrow('leads elsewhere')
})
