import { type Call, limitsOf } from '../../contract/call.ts'
import { connectedContract } from '../../contract/contract.ts'
import * as limits from '../../contract/limits.ts'
import type { Limit } from '../../contract/limits.ts'

/** Limits of all calls of a user or an API key together. */
export const OF_PEOPLE: readonly Limit[] = [limits.key, limits.calls]

/** Limits that no single call names: of all calls together, of files, of unknown sessions. */
const OF_ALL: readonly Limit[] = [
  ...OF_PEOPLE,
  limits.guesses,
  limits.knownBrowsers,
  limits.publicFiles,
  limits.transfers,
  limits.unknownSessions,
]

/** Returns all limits of this process. */
export function declaredLimits(): readonly Limit[] {
  const calls = Object.values(connectedContract()).flatMap((group) => Object.values(group as Record<string, Call>))
  return [...new Set([...OF_ALL, ...calls.flatMap(limitsOf)])]
}

/** True for limits that RATE_LIMIT_FACTOR multiplies; limits against guessing and unwanted e-mails are fixed. */
export const isScaled = ({ per, isFromPrograms }: Limit): boolean =>
  isFromPrograms === true || (per !== 'address' && per !== 'browser')
