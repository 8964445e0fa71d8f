import { type Call, methodOf } from '../../../contract/call.ts'

/** Class of a call under overload. `vital` calls are never refused. The other classes are in order of importance. */
export type CallClass = 'vital' | 'signIn' | 'power' | 'change' | 'read' | 'stream' | 'export'

export function classOf(call: Call): CallClass {
  if (call.urgency === 'vital' || call.urgency === 'probe') return 'vital'
  if (call.urgency === 'sign-in') return 'signIn'
  if (call.urgency === 'power') return 'power'
  if (call.kind === 'file' && methodOf(call) !== 'GET') return 'export'
  if (call.kind === 'stream') return 'stream'
  return methodOf(call) === 'GET' ? 'read' : 'change'
}

/** Returns whether connections to the database are reserved for a call. */
export const isReserved = ({ urgency }: Call): boolean => urgency === 'vital' || urgency === 'sign-in'
