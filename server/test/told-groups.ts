import type { Access, GroupSighting, SandboxGroups, SandboxResource } from '../src/providers/sandbox-groups.ts'

/**
 * A test double of the sandbox port. It returns the configured state for every group, records calls, and throws
 * configured failures.
 */
export interface ToldGroups extends SandboxGroups {
  group: GroupSighting
  inside: readonly SandboxResource[] | null
  /** By the name of the call, or of the machine to stop. */
  failures: Readonly<Record<string, Error>>
  readonly asked: string[]
}

export function toldGroups(): ToldGroups {
  const asked: string[] = []
  const note = (call: string, failure = call) => {
    asked.push(call)
    const error = told.failures[failure]
    if (error !== undefined) throw error
  }
  const told: ToldGroups = {
    group: { state: 'existing', ours: true },
    inside: [],
    failures: {},
    asked,
    async lookAtGroup() {
      note('look')
      return told.group
    },
    async makeGroup({ group, location, user, endsAt }) {
      note(`make ${group} in ${location} for ${user} until ${endsAt.toISOString()}`, 'make')
    },
    limitSizes: async () => note('limit'),
    setAccess: async (_place, access: Access) => note(`access ${access.level}`, 'access'),
    async lookInside() {
      note('inside')
      return told.inside
    },
    stopMachine: async (_place, machine) => note(`stop ${machine}`, machine),
    deleteGroup: async () => note('delete'),
  }
  return told
}

export const machineCalled = (name: string, billed: boolean | null): SandboxResource => ({
  kind: 'machine',
  name,
  size: 'Standard_D2s_v3',
  billed,
  since: null,
})
