import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { GroupState, SandboxGroups, SandboxRef, SandboxSpec } from './sandbox-groups.ts'
import { call, callOrNull, startOperation } from '@trainyard/azure/server/calls.ts'
import type { AzureSettings } from '@trainyard/azure/server/clients.ts'
import { tagValue } from '@trainyard/azure/server/names.ts'
import { setAccess } from './access.ts'
import { groupScope, type SandboxClients, sandboxClients } from './clients.ts'
import { listResources } from './content.ts'
import { ALLOWED_SIZES_POLICY, POLICY_NAME, SANDBOX_TAG } from './names.ts'

/** @param tags on every group, in addition to the portal's own */
export function azureSandboxes(settings: AzureSettings, tags: Readonly<Record<string, string>> = {}): SandboxGroups {
  const clients = sandboxClients(settings)
  const { subscriptionId, resources, policy, compute } = clients
  return {
    getGroup: (ref, signal) => readGroup(clients, ref, signal),

    async createGroup(sandbox, signal) {
      await call(`create the group ${sandbox.group}`, signal, (each) =>
        resources.resourceGroups.createOrUpdate(
          sandbox.group,
          { location: sandbox.location, tags: { ...tags, ...tagsOf(sandbox) } },
          each,
        ),
      )
    },

    async limitSizes({ group }, sizes, signal) {
      await call(`limit the sizes of machines in ${group}`, signal, (each) =>
        policy.policyAssignments.create(
          groupScope(subscriptionId, group),
          POLICY_NAME,
          {
            displayName: 'Trainyard: sizes of machines in a sandbox',
            policyDefinitionId: ALLOWED_SIZES_POLICY,
            parameters: { listOfAllowedSKUs: { value: [...sizes] } },
          },
          each,
        ),
      )
    },

    setAccess: (ref, access, signal) => setAccess(clients, ref, access, signal),
    listResources: (ref, signal) => listResources(clients, ref, signal),

    async stopMachine({ group }, machine, signal) {
      await startOperation(`stop the machine ${machine}`, signal, (each) =>
        compute.virtualMachines.beginDeallocate(group, machine, each),
      )
    },

    async deleteGroup(ref, signal) {
      const seen = await readGroup(clients, ref, signal)
      if (seen.state !== 'existing') return
      await startOperation(`delete the group ${ref.group}`, signal, (each) =>
        resources.resourceGroups.beginDelete(ref.group, each),
      )
    },
  }
}

async function readGroup(
  { resources }: SandboxClients,
  { id, group }: SandboxRef,
  signal: AbortSignal,
): Promise<GroupState> {
  const { body } = await callOrNull(`read the group ${group}`, signal, (each) =>
    resources.resourceGroups.get(group, each),
  )
  if (body === null) return { state: 'absent' }
  if (body.id === undefined) throw new CloudError('unreachable', `Azure's description of ${group} could not be read.`)
  const mark = Object.entries(body.tags ?? {}).find(([name]) => name.toLowerCase() === SANDBOX_TAG)?.[1]
  const deleting = body.properties?.provisioningState?.toLowerCase() === 'deleting'
  return { state: deleting ? 'deleting' : 'existing', ours: mark?.toLowerCase() === id.toLowerCase() }
}

function tagsOf({ id, user, endsAt }: SandboxSpec): Record<string, string> {
  return { [SANDBOX_TAG]: id, 'trainyard-user': tagValue(user), 'trainyard-ends': endsAt.toISOString() }
}
