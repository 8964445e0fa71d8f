import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'

export type Size = ReplyOf<typeof template.sizes>['sizes'][number]

/**
 * Returns the cores and memory of a size, and the number of cores that the limits still allow: `4 vCPU, 32 GB, 36 vCPU
 * left in the region`.
 */
export function sizeFacts({ cores, memoryGb, coresLeft, available }: Size): string {
  if (!available) return 'The subscription may not use this size in the region.'
  return [
    `${cores} vCPU`,
    memoryGb === null ? null : `${memoryGb} GB`,
    coresLeft === null ? null : `${coresLeft} vCPU left in the region`,
  ]
    .filter((fact) => fact !== null)
    .join(', ')
}
