import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { paise } from '../contract/words/money.ts'
import type { Caller } from './caller.ts'

export const TEMPLATE = 'Ubuntu small'
/** Rate of the machines in paise per hour. */
export const RATE = 1_250

export function template() {
  return {
    name: TEMPLATE,
    rate_paise: paise(RATE),
    provider: 'azure',
    place: { group: 'labs', location: 'southindia', network: 'labs-net' },
    size: { name: 'Standard_DS1_v2' },
    image: { id: 'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest' },
    os: 'Linux',
    licence: 'none',
    cpu: '1',
    memory: '3.5 GB',
    storage: '30 GB',
    disk: 'SSD',
  } as const
}

export const order = (trainingName: string, emails: readonly string[], overrides: object = {}) => ({
  templateName: TEMPLATE,
  email: emails,
  trainingName,
  allocatedHours: null,
  createVmCount: emails.length,
  guacamole: true,
  ...overrides,
})

export const people = (count: number): string[] => Array.from({ length: count }, (_, i) => `learner${i}@acme.test`)

export const machinesOf = async (caller: Caller, training: string): Promise<Machine[]> => {
  const { status, body } = await caller('GET', `/azure/machines?trainingName=${encodeURIComponent(training)}`)
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body as Machine[]
}
