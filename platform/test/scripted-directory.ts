import type {
  Access,
  GroupState,
  SandboxGroups,
  SandboxResource,
} from '@trainyard/sandbox-azure/server/sandbox-groups.ts'

/** Test double of the sandbox port. It returns configured states, records calls, and throws configured failures. */
export interface ScriptedDirectory extends SandboxGroups {
  group: GroupState
  resources: readonly SandboxResource[] | null
  /** Failures, keyed by the name of the call or by the machine that must be stopped. */
  failures: Readonly<Record<string, Error>>
  readonly calls: string[]
}

export function scriptedDirectory(): ScriptedDirectory {
  const calls: string[] = []
  const note = (call: string, failure = call) => {
    calls.push(call)
    const error = scripted.failures[failure]
    if (error !== undefined) throw error
  }
  const scripted: ScriptedDirectory = {
    group: { state: 'existing', ours: true },
    resources: [],
    failures: {},
    calls,
    async getGroup() {
      note('read')
      return scripted.group
    },
    async createGroup({ group, location, user, endsAt }) {
      note(`create ${group} in ${location} for ${user} until ${endsAt.toISOString()}`, 'create')
    },
    limitSizes: async () => note('limit'),
    setAccess: async (_place, access: Access) => note(`access ${access.level}`, 'access'),
    async listResources() {
      note('list')
      return scripted.resources
    },
    stopMachine: async (_place, machine) => note(`stop ${machine}`, machine),
    deleteGroup: async () => note('delete'),
  }
  return scripted
}

export const sandboxMachine = (name: string, billed: boolean | null): SandboxResource => ({
  kind: 'machine',
  name,
  size: 'Standard_D2s_v3',
  billed,
  since: null,
})
