import type { Call } from '@trainyard/contract/call.ts'
import { isReserved } from '../limits.ts'

/**
 * Class of a call under overload. `vital` calls are never refused: health checks, and events that the payment provider
 * sends. The other classes are in order of importance.
 */
export type CallClass = 'vital' | 'signIn' | 'power' | 'change' | 'read' | 'stream' | 'export'

const VITAL: ReadonlySet<string> = new Set([
  'GET /health',
  'GET /health/live',
  'GET /health/ready',
  'GET /health/proof',
  'POST /payments/webhook',
])

/** Calls that start and stop machines. A machine that a user cannot power off costs money. */
const POWER: ReadonlySet<string> = new Set(['PATCH /azure/machines', 'POST /azure/class/power'])

export function classOf(call: Call): CallClass {
  const route = `${call.method} ${call.path}`
  if (VITAL.has(route)) return 'vital'
  if (isReserved(route)) return 'signIn'
  if (POWER.has(route)) return 'power'
  if (call.file === true && call.method !== 'GET') return 'export'
  if (call.stream === true) return 'stream'
  return call.method === 'GET' ? 'read' : 'change'
}
