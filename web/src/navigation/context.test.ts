import { expect, it } from 'vitest'
import { contextOf } from './context.ts'

it.each([
  ['/vm/vmdetails', 'training'],
  ['/vm/quota', 'training'],
  ['/', 'organisation'],
  ['/createvm', 'organisation'],
  ['/overview', null],
  ['/sandbox/azure', null],
  ['/nowhere', null],
])('the screen %s is about %s', (path, context) => {
  expect(contextOf(path)).toBe(context)
})
