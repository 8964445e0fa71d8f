import { expect, it } from 'vitest'
import { screensOf } from '../shell/module.ts'
import { modules } from '@trainyard/modules/web.ts'
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
  expect(contextOf(screensOf(modules), path)).toBe(context)
})
