import { expect, test } from 'vitest'
import type { SandboxResource } from '../sandbox-groups.ts'
import { notPriced, paisePerHour } from './prices.ts'

const machine = (size: string, billed: boolean | null): SandboxResource => ({
  kind: 'machine',
  name: 'vm',
  size,
  billed,
  since: null,
})
const disk = (sku: string, sizeGb: number | null = 73): SandboxResource => ({
  kind: 'disk',
  name: 'd',
  sku,
  sizeGb,
  since: null,
})
const other = (type: string): SandboxResource => ({ kind: 'other', name: 'x', type, since: null })

test.each<[SandboxResource, number | null]>([
  [machine('Standard_B1s', true), 110],
  [machine('standard_b1s', true), 110],
  [machine('Standard_B1s', false), 0],
  // The portal does not know if the machine is billed, so it charges nothing.
  [machine('Standard_B1s', null), null],
  [machine('Standard_M416ms_v2', true), null],
  [machine('Standard_M416ms_v2', false), 0],
  [disk('StandardSSD_LRS'), 100],
  [disk('UltraSSD_LRS'), null],
  [disk('Premium_LRS', null), null],
  [{ kind: 'address', name: 'ip', since: null }, 45],
  [other('Microsoft.Compute/virtualMachines/extensions'), 0],
  [other('Microsoft.Compute/availabilitySets'), 0],
  [other('Microsoft.Network/networkWatchers'), 0],
  [other('Microsoft.Storage/storageAccounts'), null],
  [other('Contoso.Unheard/of'), null],
])('an hour of %j costs %j', (resource, price) => {
  expect(paisePerHour(resource)).toBe(price)
})

test('resources without a price are listed with their type', () => {
  const resources = [machine('Standard_B1s', true), other('Microsoft.Storage/storageAccounts'), disk('UltraSSD_LRS')]
  expect(notPriced(resources)).toEqual(['x (Microsoft.Storage/storageAccounts)', 'd (UltraSSD_LRS)'])
})
