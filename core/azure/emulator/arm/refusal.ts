interface Detail {
  readonly code: string
  readonly target?: string
  readonly message: string
}

interface AdditionalInfo {
  readonly type: string
  readonly info: object
}

/** An error reply in Azure's own shape. Thrown by a handler, it rolls back the handler's changes. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly target: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** undefined: no list in the reply. Network refusals have a list even if it is empty. */
  readonly details: readonly Detail[] | undefined
  readonly additionalInfo: readonly AdditionalInfo[] | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      target?: string
      headers?: Readonly<Record<string, string>>
      details?: readonly Detail[]
      additionalInfo?: readonly AdditionalInfo[]
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.target = options.target
    this.headers = options.headers ?? {}
    this.details = options.details
    this.additionalInfo = options.additionalInfo
  }

  get body(): { error: Record<string, unknown> } {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.target === undefined ? {} : { target: this.target }),
        ...(this.details === undefined ? {} : { details: this.details }),
        ...(this.additionalInfo === undefined ? {} : { additionalInfo: this.additionalInfo }),
      },
    }
  }
}

export function groupNotFound(group: string): Refusal {
  return new Refusal(404, 'ResourceGroupNotFound', `Resource group '${group}' could not be found.`)
}

export function resourceNotFound(type: string, name: string, group: string): Refusal {
  return new Refusal(
    404,
    'ResourceNotFound',
    `The Resource '${type}/${name}' under resource group '${group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  )
}

export function childNotFound(id: string): Refusal {
  return new Refusal(404, 'NotFound', `Resource ${id} not found.`)
}

export function invalidParameter(target: string, message: string): Refusal {
  return new Refusal(400, 'InvalidParameter', message, { target })
}

export function missingReference(referenced: string, referrer: string): Refusal {
  return new Refusal(
    400,
    'InvalidResourceReference',
    `Resource ${referenced} referenced by resource ${referrer} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
    { details: [] },
  )
}

/** Azure's network provider asks for a retry while a referenced resource is being updated, without a Retry-After. */
export function notYetProvisioned(referenced: string, referrer: string, state: string): Refusal {
  return new Refusal(429, 'RetryableError', 'A retryable error occurred.', {
    details: [
      {
        code: 'ReferencedResourceNotProvisioned',
        message: `Cannot proceed with operation because resource ${referenced} used by resource ${referrer} is not in Succeeded state. Resource is in ${state} state and the last operation that updated/is updating the resource is Put${singular(typeIn(referenced))}Operation.`,
      },
    ],
  })
}

/** A security group, a network and similar resources accept one writer at a time. */
export function anotherOperationInProgress(
  id: string,
  inProgress: { id: string; name: string },
  seconds: number,
): Refusal {
  return new Refusal(429, 'RetryableError', 'A retryable error occurred.', {
    headers: { 'retry-after': String(seconds) },
    details: [
      {
        code: 'RetryableErrorDueToAnotherOperation',
        message: `Operation ${networkName(inProgress.name)} (${inProgress.id}) is updating resource ${id}. The call can be retried in ${seconds} seconds.`,
      },
    ],
  })
}

/** The network provider's name of `SecurityRules_CreateOrUpdate` is PutSecurityRuleOperation. */
function networkName(operation: string): string {
  const [type = '', action = ''] = operation.split('_')
  return `${action === 'Delete' ? 'Delete' : 'Put'}${singular(type)}Operation`
}

const singular = (type: string): string => type.replace(/(?<=ss)es$|s$/, '')

function typeIn(id: string): string {
  const type = id.split('/').at(-2) ?? ''
  return type.charAt(0).toUpperCase() + type.slice(1)
}

export function concurrentRequest(): Refusal {
  return new Refusal(
    409,
    'Conflict',
    'The request failed due to conflict with a concurrent request. To resolve it, please refer to https://aka.ms/activitylog to get more details on the conflicting requests.',
  )
}

export function networkRefusal(status: number, code: string, message: string): Refusal {
  return new Refusal(status, code, message, { details: [] })
}
