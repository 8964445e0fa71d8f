import type { Limit } from '@trainyard/contract/limits.ts'
import * as limits from '@trainyard/contract/limits.ts'

export const LIMITS: readonly Limit[] = Object.values(limits)

/** Limits of all calls of a user or an API key together. */
export const OF_PEOPLE: readonly Limit[] = [limits.key, limits.calls]

/** True for limits that RATE_LIMIT_FACTOR multiplies; limits against guessing and unwanted e-mails are fixed. */
export const isScaled = ({ per, isFromPrograms }: Limit): boolean =>
  isFromPrograms === true || (per !== 'address' && per !== 'browser')
