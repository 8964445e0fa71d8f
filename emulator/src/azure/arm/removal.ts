import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Work } from '#src/azure/arm/long-operations.ts'
import type { Answer, Call } from '#src/azure/arm/operation.ts'
import { whereToLook } from '#src/azure/arm/polls.ts'
import type { Resource } from '#src/azure/arm/resources.ts'

/** The same DELETE again joins the one that is at work; undefined when none is. */
export function removalAtWork(cloud: AzureCloud, call: Call, resource: Resource): Answer | undefined {
  const atWork = cloud.operations.atWorkOn(resource.key)
  if (atWork === undefined || resource.state !== 'Deleting') return undefined
  return { status: 202, headers: whereToLook(cloud, call, atWork) }
}

/** Begins what takes a resource away: it is `Deleting` until that has ended. */
export function beginRemoval(cloud: AzureCloud, call: Call, resource: Resource, work: Work): Answer {
  cloud.resources.setState(resource.key, 'Deleting')
  return { status: 202, headers: whereToLook(cloud, call, cloud.operations.begin(call, resource, work)) }
}
