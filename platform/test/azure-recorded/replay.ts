import type { Recording } from '../../emulator/test/recordings.ts'
import { callOf } from '../../emulator/test/recorded-call.ts'
import { azureMachines, type AzureMachines } from '@trainyard/azure/server/machines.ts'
import type { AzureSettings } from '@trainyard/azure/server/clients.ts'
import { errorsIn } from '@trainyard/azure/server/error-body.ts'
import type { Outcome as TableOutcome } from '@trainyard/azure/server/outcome.ts'
import { byStatus, decisiveError, operationOf } from '@trainyard/azure/server/outcomes.ts'
import { azureErrorIn } from '@trainyard/azure/server/errors.ts'
import { azureSandboxes } from '@trainyard/sandbox-azure/server/groups.ts'
import type { AzureImageSpec, AzureAccount, AzureMachineSpec } from '@trainyard/azure/server/azure-spec.ts'
import { CloudError } from '../../server/providers/errors.ts'
import { graphIdentity } from '@trainyard/sandbox-azure/server/identity.ts'
import type { Identity } from '@trainyard/sandbox-azure/server/identity-provider.ts'
import type { SandboxGroups } from '@trainyard/sandbox-azure/server/sandbox-groups.ts'
import { A_ROLE, DEFAULT_REPLIES, OUR_RULE } from './default-replies.ts'
import { ABSENT, replayingProvider, type DefaultReplies, type ReplayingProvider } from './replaying-provider.ts'

interface Adapters {
  readonly cloud: AzureMachines
  readonly sandboxes: SandboxGroups
  readonly identity: Identity
}

interface Replay {
  /** Makes the adapter's call that requests this operation; a returned string is the observed state. */
  run(adapters: Adapters, signal: AbortSignal): Promise<unknown>
  /** Replies that differ from the default ones, so that the adapter requests this operation. */
  readonly replies?: DefaultReplies
  /** The operation that the adapter requests next if the resource does not exist. */
  readonly createsThen?: string
}

const SPEC: AzureMachineSpec = {
  id: '00000000-0000-7000-8000-000000000001',
  organisation: 'Acme Learning',
  training: 'Linux 101',
  resourceGroup: 'labs',
  name: 'lab-1',
  securityGroup: 'ports',
  location: 'westus2',
  network: 'labs',
  size: 'Standard_D2s_v3',
  os: 'Linux',
  licence: 'none',
  image: { kind: 'platform', publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server', version: 'latest' },
  adminUsername: 'trainee',
  adminPassword: 'Correct-Horse-7',
  tags: {},
  disk: { sku: 'StandardSSD_LRS', encryptionSet: null },
  encryptionAtHost: false,
  bootDiagnostics: false,
}
const PLACE = { resourceGroup: SPEC.resourceGroup, name: SPEC.name }
const PORTS_OF = { resourceGroup: SPEC.resourceGroup, name: SPEC.securityGroup }
const IMAGE: AzureImageSpec = { ...PLACE, id: SPEC.id, location: SPEC.location, os: 'Linux', tags: {} }
const ACCOUNT: AzureAccount = {
  ...IMAGE,
  username: SPEC.adminUsername,
  password: SPEC.adminPassword,
  passwordNumber: 1,
}
const SANDBOX = { id: SPEC.id, group: SPEC.resourceGroup }
const OBJECT_ID = '00000000-0000-4000-8000-000000000002'
const USER = {
  id: SPEC.id,
  signInName: 'lab-1@example.com',
  displayName: 'Lab 1',
  personalEmail: 'one@example.com',
  firstPassword: 'Correct-Horse-7',
}

const create = (adapters: Adapters, signal: AbortSignal) => adapters.cloud.createMachine(SPEC, signal)
const remove = async (adapters: Adapters, signal: AbortSignal) =>
  `remaining: ${(await adapters.cloud.deleteMachine({ ...PLACE, firstSeenAt: null, isKnownToExist: false }, signal)).remaining}`
const capture = (adapters: Adapters, signal: AbortSignal) => adapters.cloud.captureMachine(IMAGE, signal)
const discard = async (adapters: Adapters, signal: AbortSignal) =>
  `remaining: ${(await adapters.cloud.deleteImage(IMAGE, signal)).remaining}`
const password = (adapters: Adapters, signal: AbortSignal) => adapters.cloud.setPassword(ACCOUNT, signal)
const listResources = (adapters: Adapters, signal: AbortSignal) => adapters.sandboxes.listResources(SANDBOX, signal)
const access = (adapters: Adapters, signal: AbortSignal) =>
  adapters.sandboxes.setAccess(SANDBOX, { level: 'full', objectId: OBJECT_ID }, signal)
const offers = (adapters: Adapters, signal: AbortSignal) => adapters.cloud.getOffers('westus2', signal)

const sampleIds = (type: string) =>
  ({ 'GET resources list': [{ status: 200, body: { value: [{ type }] } }] }) satisfies DefaultReplies

/** Replays by operation: the call that makes an adapter request the operation. */
const REPLAYS: Readonly<Record<string, Replay>> = {
  'PUT virtualMachines': { run: create },
  'GET virtualMachines': {
    run: async ({ cloud }, signal) => (await cloud.getMachine(PLACE, signal)).seen.state,
  },
  'DELETE virtualMachines': { run: remove },
  'POST virtualMachines/start': { run: ({ cloud }, signal) => cloud.startMachine(PLACE, signal) },
  'POST virtualMachines/deallocate': { run: ({ cloud }, signal) => cloud.stopMachine(PLACE, signal) },
  'POST virtualMachines/restart': { run: ({ cloud }, signal) => cloud.restartMachine(PLACE, signal) },
  'GET virtualMachines list': { run: listResources, replies: sampleIds('Microsoft.Compute/virtualMachines') },
  'GET virtualMachines/extensions': { run: password, createsThen: 'PUT virtualMachines/extensions' },
  'PUT virtualMachines/extensions': { run: password },
  'GET disks': {
    run: remove,
    replies: { 'GET virtualMachines': [ABSENT], 'GET networkInterfaces': [ABSENT], 'GET publicIPAddresses': [ABSENT] },
  },
  'GET disks list': { run: listResources, replies: sampleIds('Microsoft.Compute/disks') },
  'DELETE disks': { run: remove, replies: { 'GET virtualMachines': [ABSENT], 'GET networkInterfaces': [ABSENT] } },
  'GET networkInterfaces': {
    run: remove,
    replies: { 'GET virtualMachines': [ABSENT], 'GET disks': [ABSENT], 'GET publicIPAddresses': [ABSENT] },
  },
  'PUT networkInterfaces': { run: create },
  'DELETE networkInterfaces': { run: remove, replies: { 'GET virtualMachines': [ABSENT] } },
  'GET publicIPAddresses': {
    run: remove,
    replies: { 'GET virtualMachines': [ABSENT], 'GET networkInterfaces': [ABSENT], 'GET disks': [ABSENT] },
  },
  'PUT publicIPAddresses': { run: create },
  'DELETE publicIPAddresses': {
    run: remove,
    replies: { 'GET virtualMachines': [ABSENT], 'GET networkInterfaces': [ABSENT] },
  },
  'GET virtualNetworks': { run: create, createsThen: 'PUT virtualNetworks' },
  'PUT virtualNetworks': {
    run: create,
    replies: { 'GET virtualNetworks': [ABSENT, ...DEFAULT_REPLIES['GET virtualNetworks']!] },
  },
  'GET networkSecurityGroups': { run: create, createsThen: 'PUT networkSecurityGroups' },
  'PUT networkSecurityGroups': {
    run: create,
    replies: { 'GET networkSecurityGroups': [ABSENT, ...DEFAULT_REPLIES['GET networkSecurityGroups']!] },
  },
  'DELETE networkSecurityGroups': {
    run: async ({ cloud }, signal) => `remaining: ${(await cloud.deleteSecurityGroup(PORTS_OF, signal)).remaining}`,
  },
  'PUT networkSecurityGroups/securityRules': {
    run: ({ cloud }, signal) => cloud.updateRules(PORTS_OF, { ports: [{ port: 8080, priority: 1001 }] }, signal),
  },
  'DELETE networkSecurityGroups/securityRules': {
    run: ({ cloud }, signal) => cloud.updateRules(PORTS_OF, { ports: [] }, signal),
    replies: {
      'GET networkSecurityGroups': [
        { status: 200, body: { properties: { provisioningState: 'Succeeded', securityRules: [OUR_RULE] } } },
      ],
    },
  },
  'GET galleries': { run: capture, createsThen: 'PUT galleries' },
  'PUT galleries': { run: capture, replies: { 'GET galleries': [ABSENT, ...DEFAULT_REPLIES['GET galleries']!] } },
  'GET galleries/images': { run: capture, createsThen: 'PUT galleries/images' },
  'PUT galleries/images': {
    run: capture,
    replies: { 'GET galleries/images': [ABSENT, ...DEFAULT_REPLIES['GET galleries/images']!] },
  },
  'GET galleries/images/versions': {
    run: async (adapters, signal) => ((await capture(adapters, signal)) as { state: string }).state,
    createsThen: 'PUT galleries/images/versions',
  },
  'PUT galleries/images/versions': { run: capture },
  'DELETE galleries/images': { run: discard },
  'DELETE galleries/images/versions': {
    run: discard,
    replies: {
      'GET galleries/images/versions': [{ status: 200, body: { properties: { provisioningState: 'Succeeded' } } }],
    },
  },
  'GET skus list': { run: offers },
  'GET locations/usages list': { run: offers },
  'GET offerTypes/publishers/offers/plans/agreements': {
    run: ({ cloud }, signal) => cloud.hasAcceptedTerms({ publisher: 'p', product: 'o', name: 'n' }, signal),
  },
  'GET resourceGroups': {
    run: async ({ sandboxes }, signal) => (await sandboxes.getGroup(SANDBOX, signal)).state,
  },
  'PUT resourceGroups': {
    run: ({ sandboxes }, signal) =>
      sandboxes.createGroup({ ...SANDBOX, location: 'westus2', user: 'u', endsAt: new Date(0) }, signal),
  },
  'DELETE resourceGroups': { run: ({ sandboxes }, signal) => sandboxes.deleteGroup(SANDBOX, signal) },
  'GET resources list': { run: listResources },
  'GET roleAssignments list': { run: access },
  'PUT roleAssignments': { run: access },
  'DELETE roleAssignments': {
    run: ({ sandboxes }, signal) => sandboxes.setAccess(SANDBOX, { level: 'none' }, signal),
    replies: { 'GET roleAssignments list': [A_ROLE] },
  },
  'PUT policyAssignments': { run: ({ sandboxes }, signal) => sandboxes.limitSizes(SANDBOX, ['Standard_B1s'], signal) },
  'POST users': { run: ({ identity }, signal) => identity.createUser(USER, signal) },
  'GET users list': {
    run: ({ identity }, signal) => identity.getUser({ ...USER, objectId: null }, signal),
  },
  'GET users': {
    run: async ({ identity }, signal) => (await identity.getUser({ ...USER, objectId: OBJECT_ID }, signal)).state,
  },
  'PATCH users': { run: ({ identity }, signal) => identity.blockUser(OBJECT_ID, signal) },
  'DELETE users': { run: ({ identity }, signal) => identity.deleteUser(OBJECT_ID, signal) },
  'DELETE deletedItems': { run: ({ identity }, signal) => identity.deleteUser(OBJECT_ID, signal) },
}

/**
 * Operations that the portal does not request. Each is mapped to a similar operation in which the portal would receive
 * their errors.
 */
const SIMILAR_OPERATIONS: readonly [RegExp, string][] = [
  [/^PATCH virtualMachines$/, 'PUT virtualMachines'],
  [
    /^PUT (azureFirewalls|bastionHosts|frontDoors|loadBalancers|privateLinkServices|virtualNetworkGateways)$/,
    'PUT networkInterfaces',
  ],
  [/^PUT virtualNetworks\/subnets$/, 'PUT virtualNetworks'],
  [/^DELETE (routeTables\/routes|virtualNetworks|virtualNetworks\/subnets)$/, 'DELETE networkSecurityGroups'],
  [/^GET virtualNetworks\/subnets$/, 'GET virtualNetworks'],
  [/^DELETE virtualMachines\/extensions$/, 'DELETE virtualMachines'],
  [/^GET (roleAssignments|roleDefinitions|policyDefinitions)$/, 'GET roleAssignments list'],
  [/^PUT sites$/, 'PUT virtualMachines'],
  [/^GET (groups|servicePrincipals)$/, 'GET users'],
]

/** Returns the portal's operation for which a recording is a possible response; null if there is none. */
export function operationFor({ method, path, status }: Recording): string | null {
  const { operation } = callOf(method, path)
  if (operation in REPLAYS) return operation
  if (status < 400) return null
  return SIMILAR_OPERATIONS.find(([shape]) => shape.test(operation))?.[1] ?? null
}

/** Time limit, enough for a client without a socket and shorter than the adapters' own waits. */
const TIMEOUT_MS = 10_000

export interface ReplayOutcome {
  readonly result: string
  readonly pause: number | null
}

/** Replays the recorded responses to the adapter that would receive them. Returns the adapter's result. */
export async function replay(operation: string, recorded: readonly Recording[]): Promise<ReplayOutcome> {
  const chosen = REPLAYS[operation]
  if (chosen === undefined) throw new Error(`No adapter requests ${operation}.`)
  const provider = replayingProvider(operation, recorded, { ...DEFAULT_REPLIES, ...chosen.replies })
  const outcome = await runReplay(operation, () => chosen.run(adaptersAt(provider), AbortSignal.timeout(TIMEOUT_MS)))
  if (!provider.requests.includes(operation))
    throw new Error(`${operation} was not requested. Requests: ${provider.requests.join(', ')}.`)
  const created = chosen.createsThen !== undefined && provider.requests.includes(chosen.createsThen)
  return created && outcome.pause === null ? { result: 'then created', pause: null } : outcome
}

async function runReplay(operation: string, call: () => Promise<unknown>): Promise<ReplayOutcome> {
  try {
    const result = await call()
    if (typeof result === 'string') return { result: result, pause: null }
    return { result: result === null ? 'absent' : operation.startsWith('GET ') ? 'read' : 'accepted', pause: null }
  } catch (problem) {
    if (problem instanceof CloudError) return { result: resultOf(problem), pause: problem.retryAfter }
    throw problem
  }
}

function resultOf(problem: CloudError): string {
  const outcome = azureErrorIn(problem)?.outcome
  return outcome === undefined ? problem.kind : outcomeText(outcome)
}

const outcomeText = (outcome: TableOutcome): string =>
  outcome.is === 'final' || outcome.is === 'wait' ? `${outcome.is}: ${outcome.kind}` : outcome.is

/** Returns the outcome of the adapter's table for an error of an operation that the portal never requests. */
export function tableOutcome({ method, path, status, body }: Recording): string {
  const answer = { operation: operationOf(method, path), status }
  return outcomeText(decisiveError(answer, errorsIn(JSON.stringify(body))).row?.outcome ?? byStatus(status))
}

function adaptersAt(provider: ReplayingProvider): Adapters {
  const credential = { getToken: async () => ({ token: 'recorded', expiresOnTimestamp: Date.now() + 3_600_000 }) }
  const subscriptionId = '00000000-0000-0000-0000-000000000000'
  const settings: AzureSettings = { subscriptionId, credential, http: () => provider.http }
  return {
    cloud: azureMachines(settings),
    sandboxes: azureSandboxes(settings),
    identity: graphIdentity({ credential, send: provider.fetch }),
  }
}
