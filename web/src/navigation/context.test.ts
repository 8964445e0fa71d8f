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
])('maps the screen %s to the context %s', (path, context) => {
  expect(contextOf(path)).toBe(context)
})
