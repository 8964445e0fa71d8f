import { expect, test } from 'vitest'
import { type AwsUserState, nextForAwsUser } from './next.ts'

const at = new Date()
const state: AwsUserState = { desired: 'ready', create_sent_at: null, ready_at: null, blocked_at: null }

test.each([
  ['create', {}],
  ['create', { create_sent_at: at }],
  ['read', { create_sent_at: at, ready_at: at }],
  ['end', { desired: 'gone' }],
  ['block', { desired: 'gone', create_sent_at: at }],
  ['block', { desired: 'gone', create_sent_at: at, ready_at: at }],
  ['remove', { desired: 'gone', create_sent_at: at, ready_at: at, blocked_at: at }],
  ['remove', { desired: 'gone', create_sent_at: at, blocked_at: at }],
] as const)('%s for %o', (next, more) => {
  expect(nextForAwsUser({ ...state, ...more })).toBe(next)
})
