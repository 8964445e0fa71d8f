/** An error reply in Azure's own shape. Thrown by a handler, it undoes whatever the handler had recorded. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly target: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly details: readonly { code: string; message: string }[]

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      target?: string
      headers?: Readonly<Record<string, string>>
      details?: readonly { code: string; message: string }[]
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.target = more.target
    this.headers = more.headers ?? {}
    this.details = more.details ?? []
  }

  get body(): { error: Record<string, unknown> } {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.target === undefined ? {} : { target: this.target }),
        ...(this.details.length === 0 ? {} : { details: this.details }),
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

export function missingReference(referenced: string, by: string): Refusal {
  return new Refusal(
    400,
    'InvalidResourceReference',
    `Resource ${referenced} referenced by resource ${by} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
  )
}

/** Azure's network provider asks to come again while something that is referred to is still being worked on. */
export function notYetProvisioned(referenced: string, by: string, state: string): Refusal {
  return new Refusal(429, 'RetryableError', 'A retryable error occurred.', {
    headers: { 'retry-after': '2' },
    details: [
      {
        code: 'ReferencedResourceNotProvisioned',
        message: `Cannot proceed with operation because resource ${referenced} used by resource ${by} is not in Succeeded state. Resource is in ${state} state.`,
      },
    ],
  })
}

export function anotherOperationAtWork(id: string): Refusal {
  return new Refusal(
    429,
    'RetryableErrorDueToAnotherOperation',
    `Operation on resource ${id} could not be started because another operation on this or a dependent resource is in progress.`,
    { headers: { 'retry-after': '2' } },
  )
}

export function concurrentRequest(): Refusal {
  return new Refusal(
    409,
    'Conflict',
    'The request failed due to conflict with a concurrent request. To resolve it, please refer to https://aka.ms/activitylog to get more details on the conflicting requests.',
  )
}
