export interface AwsUserState {
  readonly desired: 'ready' | 'gone'
  readonly create_sent_at: Date | null
  readonly ready_at: Date | null
  readonly blocked_at: Date | null
}

export type NextForAwsUser = 'create' | 'read' | 'block' | 'remove' | 'end'

/** Returns the next step. A user is blocked before the deletion, and deleted until nothing is found. */
export function nextForAwsUser({ desired, create_sent_at, ready_at, blocked_at }: AwsUserState): NextForAwsUser {
  if (desired === 'ready') return ready_at === null ? 'create' : 'read'
  // A user whose creation was never sent does not exist at AWS.
  if (create_sent_at === null) return 'end'
  return blocked_at === null ? 'block' : 'remove'
}
