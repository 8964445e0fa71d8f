import type { HttpClient } from '@azure/core-rest-pipeline'
import { azureCloud } from '@trainyard/azure/server/cloud.ts'
import { azureMachines, type AzureMachines } from '@trainyard/azure/server/machines.ts'
import type { AzureSettings } from '@trainyard/azure/server/clients.ts'
import { emulatorCredential } from '@trainyard/azure/server/credentials.ts'
import type { RateLimiter } from '../server/providers/rate-limiter.ts'
import type { Clouds, MachineDeletion } from '@trainyard/templates/server/cloud.ts'
import type { AzureRef, AzureMachineSpec } from '@trainyard/azure/server/azure-spec.ts'
import { mustSend } from './caller.ts'
import { startTestEmulator, type TestEmulator, type Truth } from './emulator.ts'

const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'

/** An emulator, and the Azure adapter without a portal. */
export interface EmulatedAzure extends TestEmulator {
  machines(http?: (wire: HttpClient) => HttpClient, rateLimiter?: RateLimiter): AzureMachines
  /** The same adapter as a provider of the portal. */
  clouds(http?: (wire: HttpClient) => HttpClient, rateLimiter?: RateLimiter): Clouds
  /** Returns true if the password is accepted by the running machine. */
  signIn(machine: string, username: string, password: string): Promise<boolean>
  /** Deletes a machine step by step, as the reconciler does, without faults and in at most six steps. */
  delete(cloud: AzureMachines, place: AzureRef): Promise<void>
  /** Returns the names of the machine and its parts that exist. */
  leftovers(machine: string): Promise<string[]>
  /** Returns the existing image versions. */
  images(): Promise<Truth['imageVersions']>
}

export async function startEmulatedAzure(): Promise<EmulatedAzure> {
  const emulator = await startTestEmulator()
  const settings = (http?: (wire: HttpClient) => HttpClient, rateLimiter?: RateLimiter): AzureSettings => ({
    subscriptionId: SUBSCRIPTION,
    credential: emulatorCredential(),
    emulatorUrl: emulator.url,
    readEveryMs: 20,
    ...(http === undefined ? {} : { http }),
    ...(rateLimiter === undefined ? {} : { rateLimiter }),
  })
  return {
    ...emulator,
    machines: (...options) => azureMachines(settings(...options)),
    clouds: (...options) => ({ azure: azureCloud(settings(...options)) }),
    async signIn(machine, username, password) {
      const url = `${emulator.url}/_machines/${machine}/sign-in`
      return (await mustSend('POST', url, { username, password })).accepted
    },
    async delete(cloud, place) {
      await emulator.clearFaults()
      let last: MachineDeletion | undefined
      for (let step = 0; step < 6 && last?.remaining !== 'nothing'; step++)
        last = await cloud.deleteMachine(
          { ...place, firstSeenAt: null, isKnownToExist: false },
          AbortSignal.timeout(20_000),
        )
      if (last?.remaining !== 'nothing') throw new Error(`${place.name} is not deleted after six steps.`)
    },
    async leftovers(machine) {
      const { machines, addresses, disks, networkInterfaces } = await emulator.truth()
      return [...machines.filter(({ exists }) => exists), ...addresses, ...disks, ...networkInterfaces]
        .map(({ name }) => name)
        .filter((name) => [machine, `${machine}-ip`, `${machine}-nic`, `${machine}-os`].includes(name))
        .toSorted()
    },
    images: async () => (await emulator.truth('imageVersions')).imageVersions,
  }
}

/** Returns the specification of a machine whose id and name derive from a number. */
export function machineSpec(number: number, overrides: Partial<AzureMachineSpec> = {}): AzureMachineSpec {
  return {
    id: `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`,
    organisation: 'Acme Learning',
    training: 'Linux 101',
    resourceGroup: 'acme-labs',
    name: `linux-101-${number}`,
    securityGroup: 'linux-101-ports',
    location: 'southindia',
    network: 'labs',
    size: 'Standard_D2s_v3',
    os: 'Linux',
    licence: 'none',
    image: {
      kind: 'platform',
      publisher: 'Canonical',
      offer: '0001-com-ubuntu-server-jammy',
      sku: '22_04-lts-gen2',
      version: 'latest',
    },
    adminUsername: 'trainee',
    adminPassword: 'Correct-Horse-7',
    tags: {},
    disk: { sku: 'StandardSSD_LRS', encryptionSet: null },
    encryptionAtHost: false,
    bootDiagnostics: false,
    ...overrides,
  }
}

export const WINDOWS: Partial<AzureMachineSpec> = {
  os: 'Windows',
  licence: 'Windows_Server',
  training: 'Windows 101',
  securityGroup: 'windows-101-ports',
  image: {
    kind: 'platform',
    publisher: 'MicrosoftWindowsServer',
    offer: 'WindowsServer',
    sku: '2022-datacenter-azure-edition',
    version: 'latest',
  },
}
