import { describe, expect, test } from 'vitest'
import { sentenceWith } from '@trainyard/platform/server/providers/errors.ts'
import { errorIn } from './error-body.ts'
import { OUTCOMES } from './outcome-table.ts'
import type { ErrorExample, Outcome, OutcomeRow } from './outcome.ts'
import { byStatus, type FailedResponse, operationOf, rowFor } from './outcomes.ts'
import { refusalFacts, scopeName } from './refusal-facts.ts'

const MACHINE = 'microsoft.compute/virtualmachines'
const NETWORK_INTERFACE = 'microsoft.network/networkinterfaces'
const NETWORK = 'microsoft.network/virtualnetworks'
const ROLE = 'microsoft.authorization/roleassignments'

const FINAL: Outcome = { is: 'final', kind: 'refused' }
const FORBIDDEN: Outcome = { is: 'final', kind: 'unauthorised' }
const CONFLICT: Outcome = { is: 'conflict' }
const THROTTLED: Outcome = { is: 'throttled' }
const ABSENT: Outcome = { is: 'absent' }
const wait = (kind: Extract<Outcome, { is: 'wait' }>['kind'], seconds: number): Outcome => ({
  is: 'wait',
  kind,
  seconds,
})

/** Operation, status, code, expected outcome, code of a detail, message. */
type Example = readonly [string, number, string, Outcome, string?, string?]

/** The expected outcomes, stated separately from the table so that a change of a row must be made twice. */
const EXAMPLES: readonly Example[] = [
  [`PUT ${NETWORK}`, 429, 'RetryableError', wait('throttled', 12), 'RetryableErrorDueToAnotherOperation'],
  [`PUT ${NETWORK_INTERFACE}`, 429, 'RetryableError', wait('throttled', 5), 'ReferencedResourceNotProvisioned'],
  [`PUT ${NETWORK}`, 429, 'RetryableErrorDueToAnotherOperation', wait('throttled', 12)],
  [`POST ${MACHINE}/start`, 429, 'OperationNotAllowed', THROTTLED],
  [`GET ${MACHINE}`, 429, 'TooManyRequests', THROTTLED],

  [`GET ${MACHINE}`, 404, 'ResourceNotFound', ABSENT],
  [`GET ${NETWORK}`, 404, 'ResourceGroupNotFound', ABSENT],
  [`GET microsoft.compute/disks`, 404, 'NotFound', ABSENT],
  [`GET ${MACHINE}/extensions`, 404, 'ParentResourceNotFound', ABSENT],
  [`DELETE ${NETWORK_INTERFACE}`, 404, 'ResourceGroupNotFound', ABSENT],
  [`POST ${MACHINE}/start`, 404, 'ResourceNotFound', ABSENT],
  [`GET ${ROLE}`, 404, 'RoleAssignmentNotFound', ABSENT],
  ['HEAD resourcegroups', 404, '', ABSENT],
  ['GET microsoft.compute/locations/usages', 400, 'LocationNotAvailableForResourceType', ABSENT],

  [`PUT ${NETWORK_INTERFACE}`, 409, 'ReferencedResourceNotProvisioned', wait('conflict', 5)],
  [`PUT ${MACHINE}`, 404, 'PlatformImageNotFound', FINAL],
  [`PUT ${NETWORK}`, 403, 'RequestDisallowedByAzure', FINAL],
  [`POST ${MACHINE}/start`, 403, 'RequestDisallowedByAzure', wait('refused', 60)],
  [`PUT ${MACHINE}`, 400, 'MarketplacePurchaseEligibilityFailed', FINAL],
  [`PUT ${MACHINE}`, 403, 'DenyAssignmentAuthorizationFailed', FORBIDDEN],
  [`DELETE ${MACHINE}`, 403, 'DenyAssignmentAuthorizationFailed', wait('unauthorised', 60)],
  [`PUT ${MACHINE}`, 409, 'ReadOnlyDisabledSubscription', wait('unauthorised', 60)],
  ['PUT microsoft.network/publicipaddresses', 400, 'IPv4StandardSkuPublicIpCountLimitReached', wait('quota', 60)],
  [`PUT ${NETWORK_INTERFACE}`, 400, 'SubnetIsFull', wait('quota', 60)],
  [
    `PUT ${NETWORK_INTERFACE}`,
    400,
    'GatewaySubnet',
    wait('refused', 60),
    undefined,
    "Subnet with name 'GatewaySubnet' can be used only for the Virtual Network Gateway resource.",
  ],
  [`PUT ${MACHINE}`, 409, 'QuotaExceeded', wait('quota', 60)],
  ['PUT microsoft.network/networksecuritygroups/securityrules', 400, 'SecurityRuleConflict', wait('conflict', 12)],
  [`DELETE ${MACHINE}`, 409, 'ScopeLocked', CONFLICT],
  [`PUT ${MACHINE}`, 400, 'ResourcePurchaseValidationFailed', FINAL],
  [`PUT ${MACHINE}`, 400, 'VMMarketplaceInvalidInput', FINAL],
  [`PUT ${MACHINE}`, 403, 'RequestDisallowedByPolicy', FINAL],
  [`POST ${MACHINE}/start`, 403, 'RequestDisallowedByPolicy', wait('refused', 60)],
  [`PUT ${MACHINE}`, 409, 'PropertyChangeNotAllowed', FINAL],
  [`PUT ${MACHINE}`, 400, 'InvalidParameter', FINAL],
  ['PUT resourcegroups', 400, 'InvalidResourceName', FINAL],
  ['PUT resourcegroups', 400, 'LocationNotAvailableForResourceGroup', FINAL],
  ['PUT microsoft.authorization/policyassignments', 404, 'PolicyDefinitionNotFound', FINAL],
  ['GET microsoft.authorization/policydefinitions', 404, 'ResourceTypeNotSupported', FINAL],
  [`PUT ${ROLE}`, 400, 'InvalidPrincipalId', FINAL],

  [`PUT ${MACHINE}`, 403, 'AuthorizationFailed', FORBIDDEN],
  [`POST ${MACHINE}/deallocate`, 403, 'AuthorizationFailed', wait('unauthorised', 60)],
  [`DELETE ${MACHINE}`, 403, 'LinkedAuthorizationFailed', wait('unauthorised', 60)],
  [`GET ${MACHINE}`, 404, 'SubscriptionNotFound', wait('unauthorised', 60)],

  [`PUT ${NETWORK_INTERFACE}`, 409, 'MissingSubscriptionRegistration', wait('conflict', 30)],
  [`PUT ${MACHINE}`, 409, 'SkuNotAvailable', wait('capacity', 60)],
  [`POST ${MACHINE}/start`, 409, 'ZonalAllocationFailed', wait('capacity', 60)],
  [
    `PUT ${MACHINE}`,
    409,
    'OperationNotAllowed',
    wait('quota', 60),
    undefined,
    'Operation results in exceeding quota limits of Core. Maximum allowed: 100, Current in use: 100.',
  ],
  [`PUT microsoft.network/publicipaddresses`, 400, 'PublicIPCountLimitReached', wait('quota', 60)],
  [`PUT ${ROLE}`, 400, 'PrincipalNotFound', wait('conflict', 30)],

  [`PUT ${MACHINE}`, 400, 'NicReservedForAnotherVm', CONFLICT],
  [`DELETE ${NETWORK_INTERFACE}`, 400, 'NicReservedForAnotherVm', CONFLICT],
  [
    'DELETE microsoft.compute/disks',
    409,
    'OperationNotAllowed',
    CONFLICT,
    undefined,
    'Disk core-limit-quota is attached to VM lab-1.',
  ],
  [`PUT ${MACHINE}`, 404, 'NotFound', CONFLICT],
  [`PUT ${NETWORK_INTERFACE}`, 404, 'ResourceGroupNotFound', CONFLICT],
  [`PUT ${NETWORK_INTERFACE}`, 400, 'InvalidResourceReference', CONFLICT],
  [`DELETE ${NETWORK}`, 400, 'InUseSubnetCannotBeDeleted', CONFLICT],
  [`PUT ${NETWORK}`, 409, 'AnotherOperationInProgress', CONFLICT],
  ['GET operationresults', 409, 'ResourceGroupDeletionTimeout', CONFLICT],
]

const outcomeOf = (answer: FailedResponse): Outcome => rowFor(answer)?.outcome ?? byStatus(answer.status)

const answerOf = ([operation, status, code, , detail, message = '']: Example) => ({
  operation,
  status,
  code,
  details: detail === undefined ? [] : [detail],
  message,
})

const failed = ([operation, status, error]: ErrorExample) => ({
  operation,
  status,
  ...errorIn(JSON.stringify({ error })),
})

const sentenceFor = ({ sentences }: OutcomeRow, [, , error]: ErrorExample): string | null =>
  sentenceWith(sentences, { ...refusalFacts('create lab-1', errorIn(JSON.stringify({ error }))) })

describe('an error response', () => {
  test.each(
    EXAMPLES.map((example) => [`${example[0]}: ${example[1]} ${example[2]} ${example[4] ?? ''}`, example] as const),
  )('maps to its outcome: %s', (_, example) => {
    expect(outcomeOf(answerOf(example))).toEqual(example[3])
  })

  test.each(
    OUTCOMES.flatMap((row) => row.examples.map((each) => [`${each[0]}: ${each[1]} ${each[2].code}`, each, row])),
  )('of the table matches its own row and has a sentence: %s', (_, each, row) => {
    expect(rowFor(failed(each as ErrorExample))).toBe(row)
    expect(sentenceFor(row as OutcomeRow, each as ErrorExample)).toMatch(/^[A-Z][^{}]+[.…]$/)
  })

  test('has a sentence even if Azure states only a code', () => {
    const bare = { action: 'create it', code: 'Code', message: '' }
    expect(OUTCOMES.filter(({ sentences }) => sentenceWith([sentences.at(-1)!], bare) === null)).toEqual([])
  })

  test('reaches every row of the table', () => {
    const matchedRows = new Set(EXAMPLES.map((example) => rowFor(answerOf(example))))
    expect(OUTCOMES.filter((row) => !matchedRows.has(row))).toEqual([])
  })

  test.each([
    [400, 'NeverHeardOf', { is: 'unknown', done: 'no' }],
    [401, '', wait('unauthorised', 60)],
    [404, '', { is: 'unknown', done: 'perhaps' }],
    [409, 'NeverHeardOf', CONFLICT],
    [429, '429', THROTTLED],
    [500, 'MultipleErrorsOccurred', { is: 'unknown', done: 'perhaps' }],
    [503, 'ServerTimeout', { is: 'unknown', done: 'perhaps' }],
    [504, 'ResourceReadFailed', { is: 'unknown', done: 'perhaps' }],
  ] as const)('without a row is mapped by its status (%i %s)', (status, code, outcome) => {
    expect(outcomeOf({ operation: `PUT ${MACHINE}`, status, code, details: [], message: '' })).toEqual(outcome)
  })
})

test.each([
  [
    'PUT',
    '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm?api-version=1',
    `PUT ${MACHINE}`,
  ],
  [
    'POST',
    '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm/start',
    `POST ${MACHINE}/start`,
  ],
  ['GET', '/subscriptions/s/providers/Microsoft.Compute/virtualMachines?statusOnly=true', `GET ${MACHINE}`],
  [
    'PUT',
    '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm/extensions/e',
    `PUT ${MACHINE}/extensions`,
  ],
  ['DELETE', 'https://management.azure.com/subscriptions/s/resourcegroups/g', 'DELETE resourcegroups'],
  ['GET', '/subscriptions/s/resourceGroups/g/resources', 'GET resourcegroups/resources'],
  [
    'PUT',
    '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm/providers/Microsoft.Authorization/roleAssignments/r',
    `PUT ${ROLE}`,
  ],
])('reads %s %s as the operation %s', (method, address, operation) => {
  expect(operationOf(method, address)).toBe(operation)
})

test.each([
  ['{"error":{"code":"A","message":"B","details":[{"code":"C"},{"target":"t"}]}}', 'A', 'B', ['C']],
  ['{"Error":{"Code":"A","Message":"B","Target":null,"Details":[{"Code":null},{"Code":"C"}]}}', 'A', 'B', ['C']],
  ['{"code":"A","message":"B"}', 'A', 'B', []],
  ['{"Message":"B"}', '', 'B', []],
  ['<html>', '', '', []],
  ['', '', '', []],
  ['null', '', '', []],
  ['{"error":{"code":"A","details":{},"additionalInfo":[null,{"type":"PolicyViolation"}]}}', 'A', '', []],
] as const)('reads a body like %s', (text, code, message, details) => {
  expect(errorIn(text)).toEqual({ code, message, details, detailMessage: '', policies: [], policyFields: [] })
})

test('names a policy, and its assignment if administrators gave the assignment another name', () => {
  const info = { policyDefinitionDisplayName: 'Allowed locations', policyAssignmentDisplayName: 'India only' }
  const error = { code: 'X', additionalInfo: [{ type: 'PolicyViolation', info }] }
  // Some services report the policy in a detail.
  const details = [{ code: 'RequestDisallowedByPolicy', additionalInfo: error.additionalInfo }]
  for (const body of [error, { code: 'X', details }]) {
    expect(errorIn(JSON.stringify({ error: body })).policies).toEqual([
      "'Allowed locations' (assigned as 'India only')",
    ])
  }
})

test.each([
  ['/subscriptions/s', 'the subscription'],
  ['/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/v', 'the resource group hub'],
  ['/providers/Microsoft.Management/managementGroups/corp', 'the management group corp'],
  ['/', '/'],
])('names the scope %s as %s', (scope, name) => {
  expect(scopeName(scope)).toBe(name)
})
