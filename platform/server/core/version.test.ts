import { expect, test } from 'vitest'
import { isNewer } from './version.ts'

test('orders versions as semver does', () => {
  const before = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1']
  const order = [...before, '1.0.0', '1.0.1-rc.1', '1.0.1', '1.9.0', '1.10.0-rc.2', '1.10.0', '2.0.0']
  for (const [index, version] of order.entries())
    for (const [other, than] of order.entries())
      expect([version, than, isNewer(version, than)]).toEqual([version, than, index > other])
  expect(isNewer('1.0.0+build.2', '1.0.0+build.1')).toBe(false)
})
