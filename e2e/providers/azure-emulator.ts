import { expect } from 'vitest'
import type { Command, TestProvider } from './provider.ts'

const OPERATIONS: Readonly<Record<Command, string>> = {
  create: 'VirtualMachines_CreateOrUpdate',
  start: 'VirtualMachines_Start',
  stop: 'VirtualMachines_Deallocate',
  delete: 'VirtualMachines_Delete',
}
const CHANGES = { stop: 'deallocate', start: 'start', delete: 'vanish' } as const

/** Azure's emulator, with the demo's organisation and cards. */
export const azureEmulator: TestProvider = {
  title: "Azure's emulator",
  settings: {},
  imagesHaveFiles: false,
  prepare: async () => ({
    admin: 'admin@acme.test',
    superadmin: 'superadmin@demo.test',
    organization: 'Acme Learning',
    card: 'Ubuntu 24.04 Starter',
  }),
  machines: async (portal) =>
    new Map(
      (await portal.machines()).filter(({ exists }) => exists).map(({ name, power }) => [name, power === 'running']),
    ),
  loseReply: (portal, command) =>
    portal.postToEmulator('/_faults', { kind: 'loseReply', operation: OPERATIONS[command], times: 1 }),
  outside: (portal, name, change) => portal.postToEmulator(`/_machines/${name}/${CHANGES[change]}`, {}),
  async limitMachines(portal, isLimited) {
    if (isLimited) await portal.postToEmulator('/_faults', { kind: 'refuseQuota', operation: OPERATIONS.create })
    else await removeFaults(portal.emulatorUrl)
  },
  limitSentence: /quota|limit/i,
  async setReachable(portal, isReachable) {
    if (isReachable) await removeFaults(portal.emulatorUrl)
    else await portal.postToEmulator('/_faults', { kind: 'dropConnection', operation: 'VirtualMachines_*' })
  },
  async makeOrphan(portal) {
    const [name] = (await azureEmulator.machines(portal)).keys()
    await portal.postToEmulator(`/_machines/${name}/copies`, { count: 1 })
    return `${name}-1`
  },
  async saveCard(portal, name, imageId) {
    const token = await portal.sessionOf('superadmin@demo.test')
    const response = await fetch(`${portal.url}/api/admin/template`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        imageId,
        rate: 9.5,
        resourceGroup: 'trainyard-labs',
        location: 'southindia',
        vnet: 'trainyard-labs-net',
        vmSize: 'Standard_DS1_v2',
        os: 'Linux',
        licence: 'none',
        isOfficial: false,
        cpu: '1 vCPU',
        memory: '3.5 GB',
        storage: '32 GB',
        disk: 'SSD',
      }),
    })
    expect(response.status, await response.text()).toBe(200)
  },
  // Emulated machines have no programs, so the rules tell which ports are open.
  serve: async (portal) => async () => (await portal.openPorts()).includes('18080'),
  secondsRun: async (portal, name) =>
    (await portal.machines()).find((each) => each.name === name && each.exists)!.billedSeconds,
  close: async () => {},
}

async function removeFaults(emulatorUrl: string): Promise<void> {
  expect((await fetch(`${emulatorUrl}/_faults`, { method: 'DELETE' })).ok).toBe(true)
}
