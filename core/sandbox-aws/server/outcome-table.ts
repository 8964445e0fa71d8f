import type { CloudErrorKind } from '@trainyard/platform/server/providers/errors.ts'

export interface AwsOutcomeRow {
  /** Code without a final `Exception`. Each AWS service has different codes for the same kind of error. */
  readonly code: RegExp
  /** Pattern that the message must match, if one code has several meanings. */
  readonly message?: RegExp
  readonly kind: CloudErrorKind
  /** Maximum seconds between two retries. Default: the value of the kind. */
  readonly seconds?: number
  /**
   * Sentences for users, with `{action}`, `{code}`, `{message}` and the named groups of `message`. The first sentence
   * whose facts are all known is shown. If there is none, the sentence of the kind is shown.
   */
  readonly sentences?: readonly [string, ...string[]]
  readonly example: readonly [code: string, message: string]
  /** Evidence: [R] a recording or a public issue that quotes it, [D] documentation, [K] experience only. */
  readonly source: string
}

const BUSY = 'AWS cannot {action} at present ({code}). The portal retries automatically.'

export const AWS_OUTCOMES: readonly AwsOutcomeRow[] = [
  {
    code: /^(Throttling|ThrottledRequest|TooManyRequests|RequestLimitExceeded|RequestThrottled)$/,
    kind: 'throttled',
    example: ['Throttling', 'Rate exceeded'],
    source: '[D] error codes of IAM, STS and Organizations',
  },
  {
    code: /_RATE_LIMIT_EXCEEDED$/,
    kind: 'throttled',
    sentences: ['AWS throttled the request to {action} ({code}). Try again later.'],
    example: ['ACCOUNT_CREATION_RATE_LIMIT_EXCEEDED', 'You have exceeded the rate of account creations.'],
    source: '[D] Organizations API, reasons of ConstraintViolationException and HandshakeConstraintViolationException',
  },
  {
    code: /^(ACCOUNT_NUMBER|OU_NUMBER|OU_DEPTH)_LIMIT_EXCEEDED$/,
    kind: 'quota',
    example: ['ACCOUNT_NUMBER_LIMIT_EXCEEDED', 'You have exceeded the allowed number of AWS accounts.'],
    source: '[D] Organizations API, reasons of ConstraintViolationException and HandshakeConstraintViolationException',
  },
  {
    code: /^(MASTER_ACCOUNT_\w+|MEMBER_ACCOUNT_PAYMENT_INSTRUMENT_REQUIRED|ORGANIZATION_NOT_IN_ALL_FEATURES_MODE)$/,
    kind: 'refused',
    example: ['MASTER_ACCOUNT_PAYMENT_INSTRUMENT_REQUIRED', 'The management account needs a payment method.'],
    source: '[D] Organizations API, reasons of ConstraintViolationException',
  },
  {
    code: /^FinalizingOrganization$/,
    kind: 'conflict',
    seconds: 30,
    sentences: [
      'AWS cannot {action} yet: the organization is still being set up, which takes up to an hour ({code}). The portal retries automatically.',
    ],
    example: [
      'FinalizingOrganization',
      'AWS Organizations could not perform the operation because your organization is still initializing.',
    ],
    source: '[D] Organizations API, CreateAccount and MoveAccount',
  },
  {
    code: /^SourceParentNotFound$/,
    kind: 'conflict',
    seconds: 30,
    sentences: [
      'AWS cannot {action} at present: the account is no longer in the unit it was read from ({code}). The portal reads it again and retries automatically.',
    ],
    example: ['SourceParentNotFound', "We can't find a source root or OU with the ParentId that you specified."],
    source: '[D] Organizations API, MoveAccount',
  },
  {
    code: /^(LimitExceeded|ConstraintViolation|ServiceQuotaExceeded)$/,
    kind: 'quota',
    example: ['LimitExceeded', 'Cannot exceed quota for UsersPerAccount: 5000'],
    source: '[D] IAM quotas',
  },
  {
    code: /^ConcurrentModification$/,
    kind: 'conflict',
    sentences: [BUSY],
    example: ['ConcurrentModification', 'The target of the operation is currently being modified by another request.'],
    source: '[D] Organizations API',
  },
  {
    code: /^(EntityTemporarilyUnmodifiable|DeleteConflict|NoSuchEntity|EntityAlreadyExists)$/,
    kind: 'conflict',
    example: ['DeleteConflict', 'Cannot delete entity, must detach all policies first.'],
    source: '[R] vault#687; [D] IAM API',
  },
  {
    code: /^AccessDenied$/,
    message:
      /not authorized to perform: (?<permission>[\w:*-]+).*explicit deny in a service control policy(?:: \S*\/(?<policy>p-\w+))?/,
    kind: 'unauthorised',
    sentences: [
      "AWS does not allow the portal to {action}: the organization's service control policy {policy} denies {permission}. Ask the organization's administrators to allow it for this account. The portal retries automatically.",
      "AWS does not allow the portal to {action}: a service control policy of the organization denies {permission}. Ask the organization's administrators to allow it for this account. The portal retries automatically.",
    ],
    example: [
      'AccessDenied',
      'User: arn:aws:iam::000000000001:user/portal is not authorized to perform: iam:CreateUser on resource: arn:aws:iam::000000000001:user/trainyard/asha with an explicit deny in a service control policy: arn:aws:organizations::000000000002:policy/o-b2fpbzyd95/service_control_policy/p-v4qqk7we',
    ],
    source: '[R] ministryofjustice/aws-root-account#1494, aws/karpenter-provider-aws#8190',
  },
  {
    code: /^AccessDenied$/,
    message: /not authorized to perform: (?<permission>[\w:*-]+).*explicit deny in (?<denial>an? [\w -]+policy)/,
    kind: 'unauthorised',
    sentences: [
      'AWS does not allow the portal to {action}: {denial} denies {permission}. Remove this denial for the key of the portal. The portal retries automatically.',
    ],
    example: [
      'AccessDenied',
      'User: arn:aws:iam::000000000001:user/portal is not authorized to perform: iam:CreateUser on resource: arn:aws:iam::000000000001:user/trainyard/asha with an explicit deny in an identity-based policy',
    ],
    source: '[R] aws/aws-cdk#27622',
  },
  {
    code: /^AccessDenied$/,
    message: /not authorized to perform: (?<permission>[\w:*-]+)/,
    kind: 'unauthorised',
    sentences: [
      'AWS does not allow the portal to {action}: its key lacks {permission}. Add this action to the policy of the key. The portal retries automatically.',
    ],
    example: [
      'AccessDenied',
      'User: arn:aws:iam::000000000001:user/portal is not authorized to perform: iam:CreateUser on resource: arn:aws:iam::000000000001:user/trainyard/asha because no identity-based policy allows the iam:CreateUser action',
    ],
    source: '[D] troubleshoot_access-denied',
  },
  {
    code: /^RegionDisabled$/,
    kind: 'unauthorised',
    sentences: [
      'AWS does not allow the portal to {action}: the region of AWS_LAB_REGION is disabled in the account ({code}). Activate it in the IAM console, Account settings, or set another region and restart. The portal retries automatically.',
    ],
    example: [
      'RegionDisabled',
      'STS is not activated in this region for account:000000000001. Your account administrator can activate STS in this region using the IAM Console.',
    ],
    source: '[D] STS API, RegionDisabledException; [R] quoted in public code',
  },
  {
    code: /^(InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch)$/,
    kind: 'unauthorised',
    sentences: [
      'AWS rejects the key of the portal ({code}), so it cannot {action}. Check AWS_LAB_ACCESS_KEY_ID and AWS_LAB_SECRET_ACCESS_KEY.',
    ],
    example: ['InvalidClientTokenId', 'The security token included in the request is invalid.'],
    source: '[D] STS API, common errors',
  },
  {
    code: /^(AccessDenied|ExpiredToken|OptInRequired|IncompleteSignature|MissingAuthenticationToken|NotAuthorized|RequestExpired)$/,
    kind: 'unauthorised',
    example: ['RequestExpired', 'Request has expired.'],
    source: '[D] common errors of AWS APIs',
  },
  {
    code: /^(ServiceFailure|ServiceUnavailable|InternalFailure|InternalError|Service)$/,
    kind: 'unreachable',
    example: ['ServiceFailure', 'The request processing has failed because of an unknown error.'],
    source: '[D] common errors of AWS APIs',
  },
]
