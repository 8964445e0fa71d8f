import type { AzureCloud } from '../cloud.ts'
import type { OperationPlan } from './long-operations.ts'
import type { Answer, Call } from './operation.ts'
import { pollHeaders } from './polls.ts'
import type { Resource } from './resources.ts'

/** Returns the reply of the deletion in progress, which a repeated DELETE joins. undefined if none is in progress. */
export function findRemovalReply(cloud: AzureCloud, call: Call, resource: Resource): Answer | undefined {
  const inProgress = cloud.operations.findInProgress(resource.key)
  if (inProgress === undefined || resource.state !== 'Deleting') return undefined
  return { status: 202, headers: pollHeaders(cloud, call, inProgress) }
}

export function beginRemoval(cloud: AzureCloud, call: Call, resource: Resource, plan: OperationPlan): Answer {
  cloud.resources.setState(resource.key, 'Deleting')
  return { status: 202, headers: pollHeaders(cloud, call, cloud.operations.begin(call, resource, plan)) }
}
