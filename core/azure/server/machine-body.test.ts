import { expect, test } from 'vitest'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { machineBody } from './machine-body.ts'

test('contains encryption, disk type, diagnostics and tags only as the template states them', () => {
  const plain = machineBody(machineSpec(1), 'nic', null)
  expect(plain.storageProfile?.osDisk?.managedDisk).toEqual({ storageAccountType: 'StandardSSD_LRS' })
  expect([plain.securityProfile, plain.diagnosticsProfile]).toEqual([undefined, undefined])

  const options: Partial<AzureMachineSpec> = {
    tags: { CostCentre: '4711' },
    disk: { sku: 'Premium_LRS', encryptionSet: '/set' },
    encryptionAtHost: true,
    bootDiagnostics: true,
  }
  const own = { specialized: true, trustedLaunch: true, plan: null }
  const full = machineBody(machineSpec(1, options), 'nic', own)
  expect(full.storageProfile?.osDisk?.managedDisk).toEqual({
    storageAccountType: 'Premium_LRS',
    diskEncryptionSet: { id: '/set' },
  })
  expect(full.securityProfile).toEqual({ securityType: 'TrustedLaunch', encryptionAtHost: true })
  expect(full.diagnosticsProfile).toEqual({ bootDiagnostics: { enabled: true } })
  expect(full.tags).toMatchObject({ CostCentre: '4711', 'trainyard-machine': machineSpec(1).id })
})
