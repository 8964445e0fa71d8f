import { expect, test } from 'vitest'
import { sizeFacts } from './size-facts.ts'

const size = { size: 'Standard_E4s_v5', cores: 4, memoryGb: 32, coresLeft: 36, available: true }

test.each([
  [size, '4 vCPU, 32 GB, 36 vCPU left in the region'],
  [{ ...size, memoryGb: null, coresLeft: null }, '4 vCPU'],
  [{ ...size, coresLeft: 0 }, '4 vCPU, 32 GB, 0 vCPU left in the region'],
  [{ ...size, available: false }, 'The subscription may not use this size in the region.'],
])('describes %j', (each, facts) => {
  expect(sizeFacts(each)).toBe(facts)
})
