/** The part of a lab user's row that decides what the reconciler does with it. */
export interface AwsUserState {
  readonly desired: 'ready' | 'gone'
  readonly create_sent_at: Date | null
  readonly ready_at: Date | null
  readonly blocked_at: Date | null
}

export type NextForAwsUser = 'create' | 'look' | 'block' | 'remove' | 'end'

/** Returns the next step for a lab user: blocked before anything is deleted, deleted until nothing is found. */
export function nextForAwsUser({ desired, create_sent_at, ready_at, blocked_at }: AwsUserState): NextForAwsUser {
  if (desired === 'ready') return ready_at === null ? 'create' : 'look'
  // A user whose creation was never sent is not there.
  if (create_sent_at === null) return 'end'
  return blocked_at === null ? 'block' : 'remove'
}
