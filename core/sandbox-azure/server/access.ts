import type { RoleAssignment } from '@azure/arm-authorization'
import { type Access, type SandboxRef, UserNotReplicated } from './sandbox-groups.ts'
import { call } from '@trainyard/azure/server/calls.ts'
import { listAll } from '@trainyard/azure/server/list-all.ts'
import { azureErrorIn, isNotFound } from '@trainyard/azure/server/errors.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { groupScope, type SandboxClients } from './clients.ts'
import { assignmentName, roleDefinition } from './names.ts'

/** Sets the role assignments at the group itself. Inherited ones are ignored. */
export async function setAccess(
  clients: SandboxClients,
  { group }: SandboxRef,
  access: Access,
  signal: AbortSignal,
): Promise<void> {
  const { subscriptionId, authorization } = clients
  const scope = groupScope(subscriptionId, group)
  const requested =
    access.level === 'none' ? null : { ...access, name: assignmentName(scope, access.objectId, access.level) }
  const existing = await assignmentsAt(clients, group, requested === null, signal)
  for (const { name } of existing) {
    if (name === undefined || name.toLowerCase() === requested?.name) continue
    await call(`revoke a role in ${group}`, signal, (each) => authorization.roleAssignments.delete(scope, name, each))
  }
  if (requested === null || existing.some(({ name }) => name?.toLowerCase() === requested.name)) return
  const { level, objectId } = requested
  await call(`assign a role to the user of ${group}`, signal, (each) =>
    authorization.roleAssignments.create(
      scope,
      requested.name,
      {
        roleDefinitionId: roleDefinition(subscriptionId, level),
        principalId: objectId,
        principalType: 'User',
      },
      each,
    ),
  ).catch((problem: unknown) => {
    // Azure does not know a new user for some time: 13 to 252 s in recordings of azure-service-operator.
    if (azureErrorIn(problem)?.code !== 'PrincipalNotFound' || !(problem instanceof CloudError)) throw problem
    throw new UserNotReplicated('conflict', problem.message, problem.retryAfter, { cause: problem })
  })
}

async function assignmentsAt(
  { subscriptionId, authorization }: SandboxClients,
  group: string,
  mayBeGone: boolean,
  signal: AbortSignal,
): Promise<RoleAssignment[]> {
  const scope = `/${groupScope(subscriptionId, group)}`.toLowerCase()
  try {
    const all = await listAll<RoleAssignment>(`list the roles in ${group}`, signal, (each) =>
      authorization.roleAssignments.listForResourceGroup(group, { ...each, filter: 'atScope()' }),
    )
    return all.filter((assignment) => assignment.scope?.toLowerCase() === scope)
  } catch (problem) {
    if (mayBeGone && isNotFound(problem)) return []
    throw problem
  }
}
