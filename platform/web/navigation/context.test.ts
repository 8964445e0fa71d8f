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
  ['/vm/class', 'training'],
  ['/vm/ready', 'training'],
  ['/admin/audit', 'organisation'],
  ['/budgets', 'organisation'],
])('maps the screen %s to the context %s', (path, context) => {
  const screens = screensOf(modules)
  expect(
    contextOf(
      screens,
      screens.find((each) => each.path === path)!,
    ),
  ).toBe(context)
})
