import { callOf } from '../recorded-call.ts'
import type { Recording } from '../recordings.ts'

interface SkipReason {
  readonly reason: string
  /** Expected number of recordings. */
  readonly count: number
  readonly applies: (recording: Recording, operation: string) => boolean
}

const of =
  (operations: RegExp): SkipReason['applies'] =>
  (_, operation) =>
    operations.test(operation)

/**
 * Reasons why recordings can't be replayed. If the first call of a conversation can't be replayed, the whole
 * conversation is skipped.
 */
export const SKIP_REASONS: readonly SkipReason[] = [
  {
    reason: "the request was not recorded and can't be derived from the refusal",
    count: 7,
    applies: ({ method, requestBody, status }) =>
      ['PUT', 'PATCH'].includes(method) && (typeof requestBody !== 'object' || requestBody === null) && status >= 400,
  },
  {
    reason: 'a poll of an operation whose start was not recorded',
    count: 4,
    applies: ({ sequence, path }) =>
      sequence === undefined && /\/(operations|operationresults|operationStatuses)\//i.test(path),
  },
  {
    reason: 'a page with a token that only Azure can read',
    count: 4,
    applies: ({ path }) => path.includes('$skiptoken'),
  },
  {
    reason: 'an error page of a proxy, or several paths joined',
    count: 1,
    applies: ({ body, path }) => typeof body === 'string' || path.split('/subscriptions/').length > 2,
  },
  { reason: 'the emulator has no machines in scale sets', count: 11, applies: of(/virtualMachineScaleSets/) },
  {
    reason: 'the emulator has no firewalls, gateways, load balancers, sites, routes',
    count: 10,
    applies: of(
      /(azureFirewalls|bastionHosts|frontDoors|loadBalancers|privateLinkServices|virtualNetworkGateways|sites|routeTables\/routes)$/,
    ),
  },
  {
    reason: 'the emulator has built-in roles and one policy only, and no custom definitions',
    count: 10,
    applies: of(/(roleDefinitions|policyDefinitions)$/),
  },
  {
    reason: 'the emulator assigns roles only to subscriptions and groups, and policies only to groups',
    count: 8,
    applies: ({ path }, operation) =>
      (/roleAssignments/.test(operation) && path.split('/providers/').length > 2) ||
      (/policyAssignments/.test(operation) && !/resourceGroups/i.test(path)),
  },
  {
    reason: 'the emulator creates disks only with machines, and image versions only from machines',
    count: 29,
    applies: ({ requestBody }, operation) =>
      operation === 'PUT disks' ||
      (operation === 'PUT galleries/images/versions' && !/virtualMachines\/[^/"]+"/.test(JSON.stringify(requestBody))),
  },
  {
    reason: 'the emulator does not support generalizing machines',
    count: 1,
    applies: of(/generalize$/),
  },
  { reason: 'the emulator has no list of sizes by machine', count: 1, applies: of(/vmSizes list$/) },
  {
    reason: 'the emulated directory has only users',
    count: 5,
    applies: of(/(groups|me list|servicePrincipals|directoryObjects|getMemberGroups)$/),
  },
]

/** Returns the reason why a recording can't be replayed, or null if it can. */
export function skipReason(recording: Recording): string | null {
  const { operation } = callOf(recording.method, recording.path)
  return SKIP_REASONS.find(({ applies }) => applies(recording, operation))?.reason ?? null
}
