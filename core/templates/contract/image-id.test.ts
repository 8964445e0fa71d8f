import { expect, test } from 'vitest'
import { isImageId, isPlanPart } from './image-id.ts'
import { hasNoPathTraversal } from '@trainyard/platform/contract/words/path-traversal.ts'

const GROUP = '/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/labs'
const COMPUTE = `${GROUP}/providers/Microsoft.Compute`

test.each([
  'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest',
  'MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2',
  `${COMPUTE}/images/golden`,
  `${COMPUTE}/galleries/trainyard_southindia_0123456789/images/image-1/versions/1.0.0`,
  '/communityGalleries/ours-1234/images/lab/versions/latest',
])('accepts %s as an image ID', (id) => {
  expect([isImageId(id), hasNoPathTraversal(id)]).toEqual([true, true])
})

test.each([
  `${COMPUTE}/images/../../../../providers/Microsoft.Authorization/roleAssignments/x`,
  `${COMPUTE}/galleries/../images/x`,
  `${COMPUTE}/galleries/g/images/..`,
  `${COMPUTE}//images/x`,
  `${GROUP}/../other/providers/Microsoft.Compute/images/x`,
  `${COMPUTE}/images/x?api-version=1`,
  `${COMPUTE}/images/x#y`,
  `${COMPUTE}/images/%2e%2e`,
  '/subscriptions/../images/x',
  'https://evil.test/x',
  '..:..:..:..',
  'a:b/../c:d:latest',
  'a::c:latest',
  'publisher',
  'a:b:c:d:e',
  ` a:b:c:latest`,
  '',
])('rejects %j as an image ID', (id) => {
  expect(isImageId(id)).toBe(false)
})

test.each(['..', '.', '', 'a/b', 'a b', '%2e%2e'])('rejects %j as part of a plan', (part) => {
  expect(isPlanPart(part)).toBe(false)
})
