import type { CloudErrorKind } from '@trainyard/platform/server/providers/errors.ts'
import type { ErrorExample, Outcome, OutcomeRow } from './outcome.ts'

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

const THROTTLED_TEXT = 'Azure throttled the request to {action} ({code}). The portal retries automatically.'
const BUSY_TEXT =
  'Azure cannot {action} at present, because another operation is in progress ({code}). The portal retries automatically.'
const ABSENT_TEXT = 'Azure could not {action}: the resource does not exist ({code}).'
const CONFLICT_TEXT = 'Azure cannot {action} at present ({code}): {message} The portal retries automatically.'
const QUOTA_TEXT =
  "The subscription's limit at Azure is reached. Request a higher limit, or delete unused resources. The portal retries automatically. Azure: {message}"
/** Machines have their own copy of the template's values, so a correction of the template needs a new order. */
const ORDER_AGAIN = 'then order the machine again'
const CAPACITY_TEXT = `Azure has no capacity to {action} at present. Wait, because the portal retries automatically; or choose another size or location, ${ORDER_AGAIN}. Azure: {message}`
const POWER_ON = 'then power on the machine'
const policyTexts = (advice: string) =>
  [
    `Azure refused to {action}: the subscription's policy {policy} denies it. {because} ${advice}`,
    `Azure refused to {action}: the subscription's policy {policy} denies it. ${advice}`,
    `Azure refused to {action}: a policy of the subscription denies it. {because} ${advice}`,
    `Azure refused to {action}: a policy of the subscription denies it. ${advice} Azure: {message}`,
  ] as const
const CLOSED_LOCATION = 'Azure refused to {action}: the subscription may not use this location.'
const MARKETPLACE_TEXT = `Azure Marketplace refused to {action}. Accept the terms of this image for the subscription or allow its purchase in Azure Marketplace, ${POWER_ON}. Or choose another image in the template, ${ORDER_AGAIN}.`
const EXCLUDE = "Ask the subscription's administrators to exclude the portal's app registration"
const USE_OTHER_GROUP = `${EXCLUDE}, ${POWER_ON}. Or choose another resource group in the template, ${ORDER_AGAIN}.`

const CLIENT = "The client '00000000-0000-4000-8000-000000000003' with object id '00000000-0000-4000-8000-000000000004'"
const GROUP = '/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/acme-labs'
const INTERFACE = `${GROUP}/providers/Microsoft.Network/networkInterfaces/lab-1-nic`
const MACHINE = 'microsoft.compute/virtualmachines'

const example = (operation: string, status: number, code: string, message = ''): ErrorExample => [
  operation,
  status,
  { code, message },
]

const retryable = (operation: string, code: string, message: string): ErrorExample => [
  operation,
  429,
  { code: 'RetryableError', message: 'A retryable error occurred.', details: [{ code, message }] },
]

function policyViolation(operation: string): ErrorExample {
  const name = 'Network interfaces should not have public IPs'
  const info = {
    evaluationDetails: {
      evaluatedExpressions: [
        { result: 'True', expressionKind: 'Field', expression: 'type', path: 'type' },
        {
          result: 'True',
          expressionKind: 'Field',
          path: 'properties.ipConfigurations[*].properties.publicIPAddress.id',
        },
      ],
    },
    policyDefinitionDisplayName: name,
    policyDefinitionEffect: 'deny',
    policyAssignmentDisplayName: name,
  }
  const message = "Resource 'lab-1-nic' was disallowed by policy. See error details for policy resource IDs."
  return [
    operation,
    403,
    { code: 'RequestDisallowedByPolicy', message, additionalInfo: [{ type: 'PolicyViolation', info }] },
  ]
}

/**
 * Meanings of error responses. A missing role is never final for stop, start and delete: the resource is billed until
 * they succeed.
 */
export const OUTCOMES: readonly OutcomeRow[] = [
  {
    status: 429,
    code: /^RetryableError$/,
    detail: /^RetryableErrorDueToAnotherOperation$/,
    outcome: wait('throttled', 12),
    sentences: [BUSY_TEXT],
    examples: [
      retryable(
        'PUT microsoft.network/virtualnetworks',
        'RetryableErrorDueToAnotherOperation',
        'Operation PutSubnetOperation is updating resource labs. The call can be retried in 11 seconds.',
      ),
    ],
    source: '[R] azure-service-operator: Retry-After 11 and 12',
  },
  {
    status: 429,
    code: /^RetryableError$/,
    detail: /^ReferencedResourceNotProvisioned$/,
    outcome: wait('throttled', 5),
    sentences: [BUSY_TEXT],
    examples: [
      retryable(
        'PUT microsoft.network/networkinterfaces',
        'ReferencedResourceNotProvisioned',
        'Cannot proceed with operation because resource labs is not in Succeeded state.',
      ),
    ],
    source: '[R] azure-service-operator: no Retry-After',
  },
  {
    code: /^ReferencedResourceNotProvisioned$/,
    outcome: wait('conflict', 5),
    sentences: [BUSY_TEXT],
    examples: [
      example(
        'PUT microsoft.network/networkinterfaces',
        409,
        'ReferencedResourceNotProvisioned',
        'Cannot proceed with operation because resource labs is not in Succeeded state. Resource is in Updating state.',
      ),
    ],
    source: '[K] the detail of azure-service-operator as the code itself',
  },
  {
    status: 429,
    code: /^RetryableErrorDueToAnotherOperation$/,
    outcome: wait('throttled', 12),
    sentences: [BUSY_TEXT],
    examples: [example('PUT microsoft.network/virtualnetworks', 429, 'RetryableErrorDueToAnotherOperation')],
    source: '[K] the reason as the code itself',
  },
  {
    status: 429,
    code: /^OperationNotAllowed$/,
    outcome: THROTTLED,
    sentences: [THROTTLED_TEXT],
    examples: [example(`POST ${MACHINE}/start`, 429, 'OperationNotAllowed')],
    source: '[D] troubleshooting-throttling-errors (Compute)',
  },
  {
    status: 429,
    code: /^TooManyRequests$/,
    outcome: THROTTLED,
    sentences: [THROTTLED_TEXT],
    examples: [example(`GET ${MACHINE}`, 429, 'TooManyRequests')],
    source: '[R] azure-service-operator; [D] request-limits-and-throttling',
  },

  {
    on: LOOK,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: ABSENT,
    sentences: [ABSENT_TEXT],
    examples: [
      example(`GET ${MACHINE}`, 404, 'ResourceNotFound'),
      example('GET microsoft.network/virtualnetworks', 404, 'ResourceGroupNotFound'),
      example('GET microsoft.compute/disks', 404, 'NotFound'),
      example(`GET ${MACHINE}/extensions`, 404, 'ParentResourceNotFound'),
    ],
    source: '[R] azure-service-operator, azure-cli',
  },
  {
    on: /^DELETE /,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: ABSENT,
    sentences: [ABSENT_TEXT],
    examples: [example('DELETE microsoft.network/networkinterfaces', 404, 'ResourceGroupNotFound')],
    source: '[R] azure-service-operator',
  },
  {
    on: /^POST /,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: ABSENT,
    sentences: [ABSENT_TEXT],
    examples: [example(`POST ${MACHINE}/start`, 404, 'ResourceNotFound')],
    source: '[K] the same codes',
  },
  {
    on: /^(GET|DELETE) microsoft\.authorization\//,
    status: 404,
    code: /^(RoleAssignmentNotFound|RoleDefinitionDoesNotExist|PolicyDefinitionNotFound|PolicyAssignmentNotFound)$/,
    outcome: ABSENT,
    sentences: [ABSENT_TEXT],
    examples: [example('GET microsoft.authorization/roleassignments', 404, 'RoleAssignmentNotFound')],
    source: '[R] azure-service-operator, azure-cli',
  },
  {
    on: /^HEAD /,
    status: 404,
    code: /^$/,
    outcome: ABSENT,
    sentences: [ABSENT_TEXT],
    examples: [example('HEAD resourcegroups', 404, '')],
    source: '[R] azure-libraries-for-java: a HEAD has no body',
  },
  {
    on: LOOK,
    status: 400,
    code: /^LocationNotAvailableForResourceType$/,
    outcome: ABSENT,
    sentences: [ABSENT_TEXT],
    examples: [example('GET microsoft.compute/locations/usages', 400, 'LocationNotAvailableForResourceType')],
    source: '[D] common-deployment-errors: what is in a region that there is not',
  },

  {
    on: MAKE_MACHINE,
    status: 404,
    code: /^(PlatformImageNotFound|ImageNotFound|GalleryImageNotFound)$/,
    outcome: FINAL,
    sentences: [`Azure refused to {action}: {message} Correct the image of the template, ${ORDER_AGAIN}.`],
    examples: [
      example(
        `PUT ${MACHINE}`,
        404,
        'PlatformImageNotFound',
        "The platform image 'canonical:ubuntu:24:latest' is not available.",
      ),
    ],
    source: '[R] clong/DetectionLab#729',
  },
  {
    on: MAKE_MACHINE,
    code: /^(ResourcePurchaseValidationFailed|MarketplacePurchaseEligibilityFailed|VMMarketplaceInvalidInput)$/,
    outcome: FINAL,
    sentences: [`${MARKETPLACE_TEXT} Azure: {detail}`, `${MARKETPLACE_TEXT} Azure: {message}`],
    examples: [
      [
        `PUT ${MACHINE}`,
        400,
        {
          code: 'MarketplacePurchaseEligibilityFailed',
          message: 'Marketplace purchase eligibilty check returned errors. See inner errors for details.',
          details: [
            {
              code: 'BadRequest',
              message:
                'Offer with PublisherId: microsoft-ads, OfferId: linux-data-science-vm cannot be purchased due to validation errors. Legal terms have not been accepted for this item on this subscription.',
            },
          ],
        },
      ],
      example(
        `PUT ${MACHINE}`,
        400,
        'ResourcePurchaseValidationFailed',
        'User failed validation to purchase resources.',
      ),
      example(`PUT ${MACHINE}`, 400, 'VMMarketplaceInvalidInput', 'The purchase plan of the image is missing.'),
    ],
    source: '[R] hashicorp/terraform-provider-azurerm#4305, hashicorp/packer#6009; details: Azure data science samples',
  },
  {
    code: /^RequestDisallowedByAzure$/,
    on: MAKE,
    outcome: FINAL,
    sentences: [
      `${CLOSED_LOCATION} Choose another location in the template, ${ORDER_AGAIN}. Or ask Azure's support to open this one, ${POWER_ON}. Azure: {message}`,
    ],
    examples: [
      example(
        'PUT microsoft.network/virtualnetworks',
        403,
        'RequestDisallowedByAzure',
        "Resource 'labs' was disallowed by Azure: This policy maintains a set of best available regions where your subscription can deploy resources.",
      ),
    ],
    source: '[R] Azure/azure-cli#32913, microsoft/vscode-apimanagement#464',
  },
  {
    code: /^RequestDisallowedByAzure$/,
    outcome: wait('refused', 60),
    sentences: [
      `${CLOSED_LOCATION} Ask Azure's support to open it. The portal retries automatically. Azure: {message}`,
    ],
    examples: [
      example(`POST ${MACHINE}/start`, 403, 'RequestDisallowedByAzure', "Resource 'lab-1' was disallowed by Azure."),
    ],
    source: '[K] the same, of an existing resource',
  },
  {
    code: /^RequestDisallowedByPolicy$/,
    on: MAKE,
    outcome: FINAL,
    sentences: policyTexts(
      `Change the template so that it complies, ${ORDER_AGAIN}. Or ask the subscription's administrators for an exemption, ${POWER_ON}.`,
    ),
    examples: [
      policyViolation('PUT microsoft.network/networkinterfaces'),
      example(
        'PUT resourcegroups',
        403,
        'RequestDisallowedByPolicy',
        `Resource 'acme-labs' was disallowed by policy. Policy identifiers: '[{"policyAssignment":{"name":"Require CostCentre"},"policyDefinition":{"name":"Require a tag on resource groups"}}]'.`,
      ),
      example(
        `PUT ${MACHINE}`,
        403,
        'RequestDisallowedByPolicy',
        "Resource 'lab-1' was disallowed by policy. Reasons: 'Every resource names its cost centre'. See error details for policy resource IDs.",
      ),
    ],
    source:
      '[D] error-policy-requestdisallowedbypolicy, automation/enforce-job-execution-hybrid-worker; [R] microsoft/vscode-apimanagement#348',
  },
  {
    code: /^RequestDisallowedByPolicy$/,
    outcome: wait('refused', 60),
    sentences: policyTexts("Ask the subscription's administrators for an exemption. The portal retries automatically."),
    examples: [policyViolation(`POST ${MACHINE}/start`)],
    source: '[D] the same, of an existing resource',
  },
  {
    code: /^PropertyChangeNotAllowed$/,
    outcome: FINAL,
    sentences: [
      'Azure refused to {action}, because a resource of that name exists with other settings. Reset or delete the machine. Azure: {message}',
    ],
    examples: [
      example(`PUT ${MACHINE}`, 409, 'PropertyChangeNotAllowed', "Changing property 'adminPassword' is not allowed."),
    ],
    source: '[R] azure-libraries-for-java',
  },
  {
    on: MAKE,
    status: 400,
    code: /^(InvalidParameter|InvalidRequestFormat|InvalidRequestContent|BadRequest|LinkedInvalidPropertyId)$/,
    outcome: FINAL,
    sentences: [`Azure refused to {action}: {message} Correct the template, ${ORDER_AGAIN}.`],
    examples: [
      example(
        `PUT ${MACHINE}`,
        400,
        'InvalidParameter',
        'The value Standard_Z1 provided for the VM size is not valid.',
      ),
    ],
    source: '[R] azure-libraries-for-java; a size that a region lacks is InvalidParameter (target vmSize)',
  },
  {
    on: MAKE,
    status: 400,
    code: /^(InvalidResourceName|ReservedResourceName|InvalidResourceGroup|InvalidDomainNameLabel)$/,
    outcome: FINAL,
    sentences: [`Azure refused to {action}: {message} Correct the names in the template, ${ORDER_AGAIN}.`],
    examples: [
      example('PUT resourcegroups', 400, 'InvalidResourceName', 'The provided resource group name is not valid.'),
    ],
    source: '[D] common-deployment-errors',
  },
  {
    on: MAKE,
    code: /^(LocationNotAvailableForResource(Group|Type)|InvalidLocation|InvalidResource(Group)?Location|NoRegisteredProviderFound)$/,
    outcome: FINAL,
    sentences: [
      `Azure refused to {action}: {message} Choose another location or resource group in the template, ${ORDER_AGAIN}.`,
    ],
    examples: [
      example(
        'PUT resourcegroups',
        400,
        'LocationNotAvailableForResourceGroup',
        "The provided location 'moon' is not available for resource group.",
      ),
    ],
    source: '[R] azure-service-operator; [D] common-deployment-errors',
  },
  {
    on: MAKE,
    status: 404,
    code: /^(ResourceTypeNotSupported|RoleDefinitionDoesNotExist|PolicyDefinitionNotFound)$/,
    outcome: FINAL,
    sentences: ['Azure refused to {action}: {message} Choose another location, or report this to the operator.'],
    examples: [
      example(
        'PUT microsoft.authorization/policyassignments',
        404,
        'PolicyDefinitionNotFound',
        'The policy definition could not be found.',
      ),
    ],
    source: '[R] azure-cli',
  },
  {
    on: /^GET /,
    status: 404,
    code: /^ResourceTypeNotSupported$/,
    outcome: FINAL,
    sentences: ['Azure refused to {action}: {message}'],
    examples: [
      example(
        'GET microsoft.authorization/policydefinitions',
        404,
        'ResourceTypeNotSupported',
        'The resource type is not supported.',
      ),
    ],
    source: '[R] azure-cli',
  },
  {
    on: ROLE,
    status: 400,
    code: /^(InvalidPrincipalId|RoleAssignmentUpdateNotPermitted)$/,
    outcome: FINAL,
    sentences: ['Azure refused to {action}: {message}'],
    examples: [
      example(
        'PUT microsoft.authorization/roleassignments',
        400,
        'InvalidPrincipalId',
        "A valid principal ID must be provided for role assignment. Principal '' is not valid.",
      ),
    ],
    source: '[R] azure-service-operator; [D] role-based-access-control/troubleshooting',
  },

  {
    on: MAKE_MACHINE,
    code: /^DenyAssignmentAuthorizationFailed$/,
    outcome: FORBIDDEN,
    sentences: [
      `Azure does not allow the portal to {action}: the deny assignment '{denial}' forbids it. ${USE_OTHER_GROUP}`,
      `Azure does not allow the portal to {action}: a deny assignment forbids it. ${USE_OTHER_GROUP} Azure: {message}`,
    ],
    examples: [
      example(
        `PUT ${MACHINE}`,
        403,
        'DenyAssignmentAuthorizationFailed',
        `${CLIENT} has permission to perform action 'Microsoft.Compute/virtualMachines/write' on scope '${GROUP}'; however, the access is denied because of the deny assignment with name 'Deny assignment created by Deployment Stack ${GROUP}/providers/Microsoft.Resources/deploymentStacks/landing-zone' and Id 'a1' at scope '${GROUP}'.`,
      ),
    ],
    source: '[D] deny-assignments; [R] quotes of deployment stacks and managed applications',
  },
  {
    code: /^DenyAssignmentAuthorizationFailed$/,
    outcome: wait('unauthorised', 60),
    sentences: [
      `Azure does not allow the portal to {action}: the deny assignment '{denial}' forbids it. ${EXCLUDE}. The portal retries automatically.`,
      `Azure does not allow the portal to {action}: a deny assignment forbids it. ${EXCLUDE}. The portal retries automatically. Azure: {message}`,
    ],
    examples: [
      example(
        `DELETE ${MACHINE}`,
        403,
        'DenyAssignmentAuthorizationFailed',
        `${CLIENT} has permission to perform action 'Microsoft.Compute/virtualMachines/delete' on scope '${GROUP}'; however, the access is denied because of the deny assignment with name 'Keep' and Id 'a1' at scope '${GROUP}'.`,
      ),
    ],
    source: '[D] deny-assignments',
  },
  {
    on: MAKE_MACHINE,
    code: /^(AuthorizationFailed|LinkedAuthorizationFailed)$/,
    outcome: FORBIDDEN,
    sentences: [
      'Azure does not allow the portal to {action}: its app registration lacks {permission} at {scope} ({code}). Grant a role with this permission, wait ten minutes, then power on the machine.',
      `Azure does not allow the portal to {action} ({code}). Check the portal's credentials and roles, ${POWER_ON}. Azure: {message}`,
    ],
    examples: [
      example(
        `PUT ${MACHINE}`,
        403,
        'AuthorizationFailed',
        `${CLIENT} does not have authorization to perform action 'Microsoft.Compute/virtualMachines/write' over scope '${GROUP}/providers/Microsoft.Compute/virtualMachines/lab-1' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
      ),
    ],
    source: '[R] azure-cli; [D] role-based-access-control/troubleshooting',
  },
  {
    code: /^(AuthorizationFailed|LinkedAuthorizationFailed)$/,
    outcome: wait('unauthorised', 60),
    sentences: [
      'Azure does not allow the portal to {action}: its app registration lacks {permission} at {scope} ({code}). Grant a role with this permission. The portal retries automatically.',
      "Azure does not allow the portal to {action} ({code}). Check the portal's credentials and roles. The portal retries automatically. Azure: {message}",
    ],
    examples: [
      example(
        'PUT microsoft.network/networkinterfaces',
        403,
        'LinkedAuthorizationFailed',
        `${CLIENT} has permission to perform action 'Microsoft.Network/networkInterfaces/write' on scope '${INTERFACE}'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/corp/subnets/labs' (respectively) or the linked scope(s) are invalid.`,
      ),
      example(
        `POST ${MACHINE}/deallocate`,
        403,
        'AuthorizationFailed',
        `${CLIENT} does not have authorization to perform action 'Microsoft.Compute/virtualMachines/deallocate/action' over scope '/subscriptions/00000000-0000-4000-8000-000000000001' or the scope is invalid.`,
      ),
      example(`DELETE ${MACHINE}`, 403, 'LinkedAuthorizationFailed', 'Not allowed.'),
    ],
    source: '[R] azure-service-operator, azure-cli; linked scopes: Azure/mpf and others',
  },
  {
    code: /^ReadOnlyDisabledSubscription$/,
    outcome: wait('unauthorised', 60),
    sentences: [
      'The Azure subscription is disabled and read-only, so Azure refused to {action}. Its owner must re-enable it (unpaid bill, spending limit or end of a trial). The portal retries automatically.',
    ],
    examples: [
      example(
        `PUT ${MACHINE}`,
        409,
        'ReadOnlyDisabledSubscription',
        "The subscription '00000000-0000-4000-8000-000000000001' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.",
      ),
    ],
    source: '[R] microsoft/vscode-azureappservice#1646',
  },
  {
    code: /^(SubscriptionNotFound|InvalidSubscriptionId|DisallowedOperation)$/,
    outcome: wait('unauthorised', 60),
    sentences: [
      'Azure does not let the portal use the subscription to {action} ({code}). Check AZURE_SUBSCRIPTION_ID and that the subscription is active. The portal retries automatically. Azure: {message}',
    ],
    examples: [
      example(
        `GET ${MACHINE}`,
        404,
        'SubscriptionNotFound',
        "The subscription '00000000-0000-4000-8000-000000000001' could not be found.",
      ),
    ],
    source: '[D] common-deployment-errors',
  },

  {
    status: 409,
    code: /^MissingSubscriptionRegistration$/,
    outcome: wait('conflict', 30),
    sentences: [
      'Azure cannot {action} yet: the subscription is not registered for this service ({code}). The portal registers it and retries automatically. Azure: {message}',
    ],
    examples: [
      example(
        'PUT microsoft.network/networkinterfaces',
        409,
        'MissingSubscriptionRegistration',
        "The subscription is not registered to use namespace 'Microsoft.Network'.",
      ),
    ],
    source: '[R] issues; [D] error-register-resource-provider',
  },
  {
    code: /^(SkuNotAvailable|(Zonal)?AllocationFailed|Overconstrained(Zonal)?AllocationRequest)$/,
    outcome: wait('capacity', 60),
    sentences: [CAPACITY_TEXT],
    examples: [
      example(
        `PUT ${MACHINE}`,
        409,
        'SkuNotAvailable',
        "The requested VM size 'Standard_D2s_v3' is not available in the current region.",
      ),
      example(`POST ${MACHINE}/start`, 409, 'ZonalAllocationFailed', 'Allocation failed.'),
    ],
    source:
      '[D] error-sku-not-available, allocation-failure; [R] azure-cli#2401 and jenkins-infra/helpdesk#3584: as a detail of another error',
  },
  {
    status: 409,
    code: /^OperationNotAllowed$/,
    message: /exceeding\b.*\bquota/i,
    outcome: wait('quota', 60),
    sentences: [QUOTA_TEXT],
    examples: [
      example(
        `PUT ${MACHINE}`,
        409,
        'OperationNotAllowed',
        'Operation results in exceeding quota limits of Core. Maximum allowed: 100, Current in use: 100.',
      ),
    ],
    source: '[R] azure-libraries-for-java',
  },
  {
    code: /PublicIP(Prefix)?CountLimitReached$/i,
    outcome: wait('quota', 60),
    sentences: [
      "The subscription's limit of public addresses in this location is reached. Request a higher limit, delete unused addresses, or use a template with a private network. The portal retries automatically. Azure: {message}",
    ],
    examples: [
      example(
        'PUT microsoft.network/publicipaddresses',
        400,
        'IPv4StandardSkuPublicIpCountLimitReached',
        'Cannot create more than 3 IPv4 Standard SKU public IP addresses for this subscription in this region.',
      ),
      example(
        'PUT microsoft.network/publicipaddresses',
        400,
        'PublicIPCountLimitReached',
        'Cannot create more than 20 public IP addresses for this subscription in this region.',
      ),
    ],
    source: '[R] MicrosoftDocs/azure-docs#106096, Azure/mpf, cloud-provider-azure',
  },
  {
    code: /^SubnetIsFull$/,
    outcome: wait('quota', 60),
    sentences: [
      `The subnet has no free addresses, so Azure cannot {action}. Enlarge the subnet or delete unused machines: the portal retries automatically. Or choose another network in the template, ${ORDER_AGAIN}. Azure: {message}`,
    ],
    examples: [
      example(
        'PUT microsoft.network/networkinterfaces',
        400,
        'SubnetIsFull',
        'Subnet labs with address prefix 10.0.0.0/24 does not have enough capacity for 1 IP addresses.',
      ),
    ],
    source: '[R] MicrosoftDocs/azure-docs#88211, Azure/karpenter-provider-azure#734',
  },
  {
    on: /^PUT microsoft\.network\/networkinterfaces$/,
    status: 400,
    code: /./,
    message: /since it has delegation\(s\)|can be used only for the .+ resource/,
    outcome: wait('refused', 60),
    sentences: [
      `Azure refused to {action}, because the subnet belongs to another service. Choose another subnet or network in the template, ${ORDER_AGAIN}. The portal reads the network again and retries automatically. Azure: {message}`,
    ],
    examples: [
      example(
        'PUT microsoft.network/networkinterfaces',
        400,
        'SubnetHasDelegations',
        `Resource ${INTERFACE} cannot be created in or updated to use the subnet ${GROUP}/providers/Microsoft.Network/virtualNetworks/corp/subnets/apps since it has delegation(s) [${GROUP}/providers/Microsoft.Network/virtualNetworks/corp/subnets/apps/delegations/web] to external services.`,
      ),
      example(
        'PUT microsoft.network/networkinterfaces',
        400,
        'AzureBastionSubnet',
        "Subnet with name 'AzureBastionSubnet' can be used only for the Azure Bastion resource.",
      ),
    ],
    source: '[R] MicrosoftDocs/azure-docs#18010 (text without the code), Azure/ato-toolkit#26',
  },
  {
    code: /QuotaExceeded|SubscriptionLimit|ResourceCountExceedsLimit|RoleAssignmentLimitExceeded/,
    outcome: wait('quota', 60),
    sentences: [QUOTA_TEXT],
    examples: [example(`PUT ${MACHINE}`, 409, 'QuotaExceeded', 'The quota of virtual machines is exceeded.')],
    source: '[D] azure-subscription-service-limits, error-resource-quota',
  },
  {
    on: ROLE,
    status: 400,
    code: /^PrincipalNotFound$/,
    outcome: wait('conflict', 30),
    sentences: [
      'Azure cannot {action} yet: the new user is not known everywhere ({code}). The portal retries automatically.',
    ],
    examples: [
      example('PUT microsoft.authorization/roleassignments', 400, 'PrincipalNotFound', 'Principal does not exist.'),
    ],
    source: '[R] azure-service-operator: 13 to 252 s after the user was made',
  },

  {
    status: 400,
    code: /^NicReservedForAnotherVm$/,
    outcome: CONFLICT,
    sentences: [
      'Azure cannot {action} at present: the network interface is reserved for up to three minutes after a failed creation ({code}). The portal retries automatically.',
    ],
    examples: [
      example(`PUT ${MACHINE}`, 400, 'NicReservedForAnotherVm', 'Nic(s) in request is reserved for another VM.'),
      example('DELETE microsoft.network/networkinterfaces', 400, 'NicReservedForAnotherVm'),
    ],
    source: '[R] cloudfoundry/bosh-azure-cpi-release#366: for 180 s',
  },
  {
    code: /^SecurityRuleConflict$/,
    outcome: wait('conflict', 12),
    sentences: [
      'Azure cannot {action} at present, because another rule of the security group has the same priority ({code}). The portal retries with another one. Azure: {message}',
    ],
    examples: [
      example(
        'PUT microsoft.network/networksecuritygroups/securityrules',
        400,
        'SecurityRuleConflict',
        'Security rule port-8080 conflicts with rule NRMS-Rule-101. Rules cannot have the same Priority and Direction.',
      ),
    ],
    source: '[R] Azure/aks-engine#2106',
  },
  {
    status: 409,
    code: /^ScopeLocked$/,
    outcome: CONFLICT,
    sentences: [
      'Azure cannot {action}: a lock on {locked} forbids it. Remove the lock at Azure. The portal retries automatically.',
      'Azure cannot {action}: a lock forbids it. Remove the lock at Azure. The portal retries automatically. Azure: {message}',
    ],
    examples: [
      example(
        `DELETE ${MACHINE}`,
        409,
        'ScopeLocked',
        `The scope '${GROUP}/providers/Microsoft.Compute/virtualMachines/lab-1' cannot perform delete operation because following scope(s) are locked: '${GROUP}'. Please remove the lock and try again.`,
      ),
    ],
    source: '[D] lock-resources',
  },
  {
    status: 409,
    code: /^OperationNotAllowed$/,
    outcome: CONFLICT,
    sentences: [CONFLICT_TEXT],
    examples: [
      example(
        'DELETE microsoft.compute/disks',
        409,
        'OperationNotAllowed',
        'Disk core-limit-quota is attached to VM lab-1.',
      ),
    ],
    source: '[R] azure-cli: the disk of an existing machine',
  },
  {
    on: MAKE,
    status: 404,
    code: /^(ResourceNotFound|ResourceGroupNotFound|NotFound|ParentResourceNotFound)$/,
    outcome: CONFLICT,
    sentences: [CONFLICT_TEXT],
    examples: [
      example(`PUT ${MACHINE}`, 404, 'NotFound', 'Resource lab-1-nic not found.'),
      example(
        'PUT microsoft.network/networkinterfaces',
        404,
        'ResourceGroupNotFound',
        "Resource group 'acme-labs' could not be found.",
      ),
    ],
    source: '[R] azure-service-operator: a machine whose network interface is missing',
  },
  {
    status: 400,
    code: /^(InvalidResourceReference|NicInUse|PublicIPAddressCannotBeDeleted|InUse\w+CannotBeDeleted)$/,
    outcome: CONFLICT,
    sentences: [CONFLICT_TEXT],
    examples: [
      example(
        'PUT microsoft.network/networkinterfaces',
        400,
        'InvalidResourceReference',
        'Resource labs referenced by resource lab-1-nic was not found.',
      ),
      example('DELETE microsoft.network/virtualnetworks', 400, 'InUseSubnetCannotBeDeleted', 'Subnet labs is in use.'),
    ],
    source: '[R] azure-cli, azure-service-operator',
  },
  {
    status: 409,
    code: /^(AnotherOperationInProgress|Conflict|ResourceGroupBeingDeleted|ResourceGroupDeletionTimeout|RoleAssignmentExists|OperationPreempted|AttachDiskWhileBeingDetached)$/,
    outcome: CONFLICT,
    sentences: [CONFLICT_TEXT],
    examples: [
      example(
        'PUT microsoft.network/virtualnetworks',
        409,
        'AnotherOperationInProgress',
        'Another operation on this or dependent resource is in progress.',
      ),
      example(
        'GET operationresults',
        409,
        'ResourceGroupDeletionTimeout',
        'Deletion of resource group acme-labs did not finish.',
      ),
    ],
    source: '[R] azure-service-operator, azure-libraries-for-java',
  },
]

interface SignInRow {
  /** Numbers after `AADSTS` in the description of the error. The example has the first. */
  readonly codes: readonly number[]
  readonly example: string
  /** End of the sentence that begins with 'The portal could not sign in to Entra:'. */
  readonly reason: string
  /** Advice to the operator for the portal's own app registration. */
  readonly advice: string
  readonly source: string
}

/** Reasons for which Entra refuses to sign in the app registration. */
export const SIGN_INS: readonly SignInRow[] = [
  {
    codes: [7000222],
    example:
      "AADSTS7000222: The provided client secret keys for app '00000000-0000-4000-8000-000000000003' are expired.",
    reason: 'the client secret has expired',
    advice: 'Create a new one under App registrations, Certificates & secrets, set AZURE_CLIENT_SECRET and restart.',
    source: '[D] reference-error-codes; [R] quoted in public logs',
  },
  {
    codes: [7000215],
    example:
      "AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '00000000-0000-4000-8000-000000000003'.",
    reason: 'the client secret is wrong',
    advice: "Set AZURE_CLIENT_SECRET to the secret's value, not its ID, and restart.",
    source: '[D] reference-error-codes',
  },
  {
    codes: [700016],
    example:
      "AADSTS700016: Application with identifier '00000000-0000-4000-8000-000000000003' was not found in the directory 'Acme'.",
    reason: 'the directory has no such application',
    advice: 'Check AZURE_CLIENT_ID and AZURE_TENANT_ID.',
    source: '[D] reference-error-codes, error-code-AADSTS700016',
  },
  {
    codes: [53003],
    example:
      'AADSTS53003: Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.',
    reason: 'a Conditional Access policy blocks it',
    advice: "Ask the directory's administrators to allow the app registration from the portal's addresses.",
    source: '[D] reference-error-codes; Conditional Access for workload identities',
  },
  {
    codes: [7000112],
    example: "AADSTS7000112: Application '00000000-0000-4000-8000-000000000003'(Trainyard) is disabled.",
    reason: 'the application is disabled',
    advice: 'Enable sign-in for it under Enterprise applications, Properties.',
    source: '[D] error-code-AADSTS7000112-application-is-disabled',
  },
  {
    codes: [90002],
    example: "AADSTS90002: Tenant '00000000-0000-4000-8000-000000000002' not found.",
    reason: 'there is no such directory',
    advice: 'Check AZURE_TENANT_ID.',
    source: '[D] reference-error-codes',
  },
  {
    codes: [700027],
    example:
      'AADSTS700027: The certificate with identifier used to sign the client assertion is not registered on application.',
    reason: 'its certificate is not registered or has expired',
    advice:
      'Upload the public part of the certificate in AZURE_CLIENT_CERTIFICATE_PATH under App registrations, Certificates & secrets, or replace it.',
    source: '[D] reference-error-codes',
  },
  {
    codes: [700024],
    example: 'AADSTS700024: Client assertion is not within its valid time range.',
    reason: 'its assertion is not valid at this time',
    advice: "Check the clock of this host, and that the federated token's file is renewed.",
    source: '[D] reference-error-codes',
  },
  {
    codes: [50013],
    example: 'AADSTS50013: Assertion failed signature validation. [Reason - The key was not found.]',
    reason: 'the signature of its federated token is not valid',
    advice: "Check that the federated credential names the token's issuer and that Entra can read the issuer's keys.",
    source: '[D] reference-error-codes',
  },
  {
    codes: [700213, 700211, 700212],
    example: 'AADSTS700213: No matching federated identity record found for presented assertion subject.',
    reason: 'no federated credential of the application matches its workload identity',
    advice: 'Compare issuer, subject and audience under Certificates & secrets, Federated credentials.',
    source: '[D] reference-error-codes; workload identity federation',
  },
]

/** Advice for an app registration that a user entered. */
const USERS_ADVICE = 'Correct this in Entra, or connect again with other values.'

/** @param isUsers true for an app registration that a user entered, which the operator's settings do not concern */
export const signInSentence = (
  { codes, reason, advice }: SignInRow,
  { code = codes[0]!, isUsers = false }: { readonly code?: number; readonly isUsers?: boolean } = {},
): string => `The portal could not sign in to Entra: ${reason} (AADSTS${code}). ${isUsers ? USERS_ADVICE : advice}`
