import type { CloudErrorKind } from '../errors.ts'
import type { Outcome, OutcomeRow } from './outcome.ts'

const FINAL: Outcome = { is: 'final', kind: 'refused' }
const FORBIDDEN: Outcome = { is: 'final', kind: 'unauthorised' }
const CONFLICT: Outcome = { is: 'conflict' }
const THROTTLED: Outcome = { is: 'throttled' }
const ABSENT: Outcome = { is: 'absent' }
const wait = (kind: CloudErrorKind, seconds: number): Outcome => ({ is: 'wait', kind, seconds })

const LOOK = /^(GET|HEAD) /
const MAKE = /^(PUT|PATCH) /
const MAKE_MACHINE = /^PUT microsoft\.compute\/virtualmachines$/
const ROLE = / microsoft\.authorization\/roleassignments$/

/** Stop, start and delete are never final for a missing role: the resource is billed until they succeed. */
export const OUTCOMES: readonly OutcomeRow[] = [
  {
    status: 429,
    code: /^RetryableError$/,
    detail: /^RetryableErrorDueToAnotherOperation$/,
    outcome: wait('throttled', 12),
    source: '[R] azure-service-operator: Retry-After 11 and 12',
  },
  {
    status: 429,
    code: /^RetryableError$/,
    detail: /^ReferencedResourceNotProvisioned$/,
    outcome: wait('throttled', 5),
    source: '[R] azure-service-operator: no Retry-After',
  },
  {
    status: 429,
    code: /^RetryableErrorDueToAnotherOperation$/,
    outcome: wait('throttled', 12),
    source: '[K] the reason as the code itself',
  },
  {
    status: 429,
    code: /^OperationNotAllowed$/,
    outcome: THROTTLED,
    source: '[D] troubleshooting-throttling-errors (Compute)',
  },
  {
    status: 429,
    code: /^TooManyRequests$/,
    outcome: THROTTLED,
    source: '[R] azure-service-operator; [D] request-limits-and-throttling',
  },

  {
    on: LOOK,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: ABSENT,
    source: '[R] azure-service-operator, azure-cli',
  },
  {
    on: /^DELETE /,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: ABSENT,
    source: '[R] azure-service-operator',
  },
  {
    on: /^POST /,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: ABSENT,
    source: '[K] the same codes',
  },
  {
    on: /^(GET|DELETE) microsoft\.authorization\//,
    status: 404,
    code: /^(RoleAssignmentNotFound|RoleDefinitionDoesNotExist|PolicyDefinitionNotFound|PolicyAssignmentNotFound)$/,
    outcome: ABSENT,
    source: '[R] azure-service-operator, azure-cli',
  },
  {
    on: /^HEAD /,
    status: 404,
    code: /^$/,
    outcome: ABSENT,
    source: '[R] azure-libraries-for-java: a HEAD has no body',
  },
  {
    on: LOOK,
    status: 400,
    code: /^LocationNotAvailableForResourceType$/,
    outcome: ABSENT,
    source: '[D] common-deployment-errors: what is in a region that there is not',
  },

  {
    on: MAKE_MACHINE,
    status: 404,
    code: /^(PlatformImageNotFound|ImageNotFound|GalleryImageNotFound)$/,
    outcome: FINAL,
    source: '[R] clong/DetectionLab#729',
  },
  {
    on: MAKE_MACHINE,
    code: /^(ResourcePurchaseValidationFailed|MarketplacePurchaseEligibilityFailed|VMMarketplaceInvalidInput)$/,
    outcome: FINAL,
    source: '[R] hashicorp/terraform-provider-azurerm#4305, hashicorp/packer#6009',
  },
  {
    code: /^RequestDisallowedByPolicy$/,
    on: MAKE,
    outcome: FINAL,
    source: '[D] error-policy-requestdisallowedbypolicy',
  },
  {
    code: /^RequestDisallowedByPolicy$/,
    outcome: wait('refused', 60),
    source: '[D] the same, of an existing resource',
  },
  { code: /^PropertyChangeNotAllowed$/, outcome: FINAL, source: '[R] azure-libraries-for-java' },
  {
    on: MAKE,
    status: 400,
    code: /^(InvalidParameter|InvalidRequestFormat|InvalidRequestContent|BadRequest|LinkedInvalidPropertyId)$/,
    outcome: FINAL,
    source: '[R] azure-libraries-for-java; a size that a region lacks is InvalidParameter (target vmSize)',
  },
  {
    on: MAKE,
    status: 400,
    code: /^(InvalidResourceName|ReservedResourceName|InvalidResourceGroup|InvalidDomainNameLabel)$/,
    outcome: FINAL,
    source: '[D] common-deployment-errors',
  },
  {
    on: MAKE,
    code: /^(LocationNotAvailableForResource(Group|Type)|InvalidLocation|InvalidResource(Group)?Location|NoRegisteredProviderFound)$/,
    outcome: FINAL,
    source: '[R] azure-service-operator; [D] common-deployment-errors',
  },
  {
    on: MAKE,
    status: 404,
    code: /^(ResourceTypeNotSupported|RoleDefinitionDoesNotExist|PolicyDefinitionNotFound)$/,
    outcome: FINAL,
    source: '[R] azure-cli',
  },
  { on: /^GET /, status: 404, code: /^ResourceTypeNotSupported$/, outcome: FINAL, source: '[R] azure-cli' },
  {
    on: ROLE,
    status: 400,
    code: /^(InvalidPrincipalId|RoleAssignmentUpdateNotPermitted)$/,
    outcome: FINAL,
    source: '[R] azure-service-operator; [D] role-based-access-control/troubleshooting',
  },

  {
    on: MAKE_MACHINE,
    code: /^(AuthorizationFailed|LinkedAuthorizationFailed)$/,
    outcome: FORBIDDEN,
    source: '[D] role-based-access-control/troubleshooting',
  },
  {
    code: /^(AuthorizationFailed|LinkedAuthorizationFailed)$/,
    outcome: wait('unauthorised', 60),
    source: '[R] azure-service-operator, azure-cli',
  },
  {
    code: /^(SubscriptionNotFound|InvalidSubscriptionId|ReadOnlyDisabledSubscription|DisallowedOperation)$/,
    outcome: wait('unauthorised', 60),
    source: '[D] common-deployment-errors',
  },

  {
    status: 409,
    code: /^MissingSubscriptionRegistration$/,
    outcome: wait('conflict', 30),
    source: '[R] issues; [D] error-register-resource-provider',
  },
  {
    code: /^(SkuNotAvailable|(Zonal)?AllocationFailed|Overconstrained(Zonal)?AllocationRequest)$/,
    outcome: wait('capacity', 60),
    source: '[D] error-sku-not-available, allocation-failure',
  },
  {
    status: 409,
    code: /^OperationNotAllowed$/,
    message: /exceeding\b.*\bquota/i,
    outcome: wait('quota', 60),
    source: '[R] azure-libraries-for-java',
  },
  {
    code: /QuotaExceeded|PublicIPCountLimitReached|SubscriptionLimit|ResourceCountExceedsLimit|RoleAssignmentLimitExceeded/,
    outcome: wait('quota', 60),
    source: '[D] azure-subscription-service-limits, error-resource-quota',
  },
  {
    on: ROLE,
    status: 400,
    code: /^PrincipalNotFound$/,
    outcome: wait('conflict', 30),
    source: '[R] azure-service-operator: 13 to 252 s after the user was made',
  },

  {
    status: 400,
    code: /^NicReservedForAnotherVm$/,
    outcome: CONFLICT,
    source: '[R] cloudfoundry/bosh-azure-cpi-release#366: for 180 s',
  },
  {
    status: 409,
    code: /^OperationNotAllowed$/,
    outcome: CONFLICT,
    source: '[R] azure-cli: the disk of an existing machine',
  },
  {
    on: MAKE,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: CONFLICT,
    source: '[R] azure-service-operator: a machine whose network interface is missing',
  },
  {
    status: 400,
    code: /^(InvalidResourceReference|NicInUse|PublicIPAddressCannotBeDeleted|InUse\w+CannotBeDeleted)$/,
    outcome: CONFLICT,
    source: '[R] azure-cli, azure-service-operator',
  },
  {
    status: 409,
    code: /^(AnotherOperationInProgress|Conflict|ResourceGroupBeingDeleted|ResourceGroupDeletionTimeout|RoleAssignmentExists|OperationPreempted|AttachDiskWhileBeingDetached|ScopeLocked)$/,
    outcome: CONFLICT,
    source: '[R] azure-service-operator, azure-libraries-for-java; [D] lock-resources',
  },
]
