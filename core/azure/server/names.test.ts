import { describe, expect, test } from 'vitest'
import type { AzureMachineSpec } from './azure-spec.ts'
import { computerName, machineIdIn, machineTags, resourceGroupIn } from './names.ts'

const spec = (name: string, os: AzureMachineSpec['os'], id = 'one') =>
  ({ name, os, id, training: 'T', organisation: 'O' }) as AzureMachineSpec

describe('computer names', () => {
  test.each([
    ['lab-1', 'Windows', 'lab-1'],
    ['kubernetes-for-everyone-1', 'Linux', 'kubernetes-for-everyone-1'],
    ['büro_1', 'Linux', 'b-ro-1'],
    ['123', 'Windows', 'vm-123'],
  ] as const)('converts %s on %s to %s', (name, os, expected) => {
    expect(computerName(spec(name, os))).toBe(expected)
  })

  test('shortens a name that is too long for Windows and keeps it unique', () => {
    const one = computerName(spec('windows-server-basics-12', 'Windows', 'one'))
    const two = computerName(spec('windows-server-basics-13', 'Windows', 'two'))
    expect(one).toMatch(/^windows-[0-9a-f]{6}$/)
    expect(one).not.toBe(two)
  })
})

describe('tags', () => {
  test('contain the id, and names without control characters, within Azure’s limit', () => {
    const tags = machineTags({ ...spec('lab', 'Linux'), training: 'a\u0000b\n'.padEnd(999, '☃'), organisation: 'Acme' })
    expect(tags['trainyard-machine']).toBe('one')
    expect(tags['trainyard-training']).toMatch(/^a b /)
    expect(tags['trainyard-training']?.length).toBeLessThanOrEqual(256)
  })

  test('are found in any case', () => {
    expect(machineIdIn({ 'Trainyard-Machine': 'one' })).toBe('one')
    expect(machineIdIn({ other: 'one' })).toBeUndefined()
    expect(machineIdIn(undefined)).toBeUndefined()
  })
})

test('reads the resource group from an id in any case', () => {
  const id = '/subscriptions/s/resourceGroups/ACME-LABS/providers/Microsoft.Compute/virtualMachines/lab'
  expect(resourceGroupIn(id)).toBe('ACME-LABS')
  expect(resourceGroupIn('/subscriptions/s')).toBeUndefined()
})
