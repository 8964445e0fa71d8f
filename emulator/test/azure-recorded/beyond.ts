import { callOf } from '#test/recorded-call.ts'
import type { Recording } from '#test/recordings.ts'

interface Beyond {
  readonly why: string
  /** Number of recordings. */
  readonly count: number
  readonly applies: (recording: Recording, operation: string) => boolean
}

const of =
  (operations: RegExp): Beyond['applies'] =>
  (_, operation) =>
    operations.test(operation)

/** Recordings that can't be replayed, and why. A conversation can't be from its first such call on. */
export const BEYOND: readonly Beyond[] = [
  {
    why: 'the recording left out the request, and a refusal does not tell it',
    count: 7,
    applies: ({ method, requestBody, status }) =>
      ['PUT', 'PATCH'].includes(method) && (typeof requestBody !== 'object' || requestBody === null) && status >= 400,
  },
  {
    why: 'a look at a long operation whose beginning was not recorded',
    count: 4,
    applies: ({ sequence, path }) =>
      sequence === undefined && /\/(operations|operationresults|operationStatuses)\//i.test(path),
  },
  { why: 'a page whose token only Azure can read', count: 4, applies: ({ path }) => path.includes('$skiptoken') },
  {
    why: 'a page of a proxy, and a path that joins several',
    count: 1,
    applies: ({ body, path }) => typeof body === 'string' || path.split('/subscriptions/').length > 2,
  },
  { why: 'the emulator has no machines in scale sets', count: 11, applies: of(/virtualMachineScaleSets/) },
  {
    why: 'the emulator has no firewalls, gateways, load balancers, sites, routes',
    count: 10,
    applies: of(
      /(azureFirewalls|bastionHosts|frontDoors|loadBalancers|privateLinkServices|virtualNetworkGateways|sites|routeTables\/routes)$/,
    ),
  },
  {
    why: "the emulator knows Azure's built-in roles and one policy, and defines none",
    count: 10,
    applies: of(/(roleDefinitions|policyDefinitions)$/),
  },
  {
    why: 'the emulator assigns roles at subscriptions and groups, policies at groups',
    count: 8,
    applies: ({ path }, operation) =>
      (/roleAssignments/.test(operation) && path.split('/providers/').length > 2) ||
      (/policyAssignments/.test(operation) && !/resourceGroups/i.test(path)),
  },
  {
    why: 'the emulator makes disks with machines, and image versions of machines',
    count: 29,
    applies: ({ requestBody }, operation) =>
      operation === 'PUT disks' ||
      (operation === 'PUT galleries/images/versions' && !/virtualMachines\/[^/"]+"/.test(JSON.stringify(requestBody))),
  },
  {
    why: 'the emulator does not generalize machines, which is the end of them',
    count: 1,
    applies: of(/generalize$/),
  },
  { why: 'the emulator has no list of sizes by machine', count: 1, applies: of(/vmSizes list$/) },
  {
    why: 'the directory has users and nothing else',
    count: 5,
    applies: of(/(groups|me list|servicePrincipals|directoryObjects|getMemberGroups)$/),
  },
]

/** Reason why a recording can't be replayed; null: it can. */
export function beyond(recording: Recording): string | null {
  const { operation } = callOf(recording.method, recording.path)
  return BEYOND.find(({ applies }) => applies(recording, operation))?.why ?? null
}
