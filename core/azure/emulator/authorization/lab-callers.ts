import type { FastifyRequest } from 'fastify'
import type { AzureCloud } from '../cloud.ts'
import type { Operation } from '../arm/operation.ts'
import { notAuthenticated } from '../arm/fault-replies.ts'
import { Refusal } from '../arm/refusal.ts'
import { durationOf } from '../durations.ts'
import { refuseForeignSubnet, refuseWithoutPermission } from './permissions.ts'
import { assignmentsFor } from './role-assignments.ts'
import { roleOf } from './roles.ts'
import type { DirectoryUser } from '../directory.ts'

function findEnabledUser(cloud: AzureCloud, name: string): DirectoryUser | undefined {
  const user = cloud.directory.existing(name)
  return user?.enabled === 1 ? user : undefined
}

/**
 * `Bearer user:NAME` is a user of the directory; any other token is the app registration, initially owner of all.
 * @throws Refusal if the user can't sign in or no role allows the call
 */
export function refuseWithoutRole(
  cloud: AzureCloud,
  operation: Operation,
  request: FastifyRequest,
  params: Readonly<Record<string, string>>,
  now: number,
): void {
  const name = /^Bearer\s+user:(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (name === undefined) {
    refuseWithoutPermission(cloud, operation, params)
    return refuseForeignSubnet(cloud, operation, request.url.split('?', 1)[0]!, request.body)
  }
  const user = findEnabledUser(cloud, name)
  if (user === undefined) throw notAuthenticated(params)
  const reads = operation.method === 'GET' || operation.method === 'HEAD'
  // No role that lab users receive allows changes of role and policy assignments.
  const changesAuthorization = !reads && /Microsoft\.Authorization/i.test(operation.path)
  const assignments = assignmentsFor(cloud, user.id, params.subscription ?? '', params.group)
    .filter(({ created_at, name }) => created_at + durationOf('role', name) * cloud.operations.latency * 1000 <= now)
    .map(({ role }) => roleOf(role))
  if (!changesAuthorization && assignments.some((role) => role?.may === 'write' || (reads && role !== undefined)))
    return
  throw new Refusal(
    403,
    'AuthorizationFailed',
    `The client '${user.upn}' with object id '${user.id}' does not have authorization to perform action '${operation.name}' over scope '${request.url.split('?', 1)[0]}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  )
}
