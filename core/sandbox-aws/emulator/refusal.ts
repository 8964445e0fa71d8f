/** Error reply in AWS's format. If a handler throws it, the handler's changes are rolled back. */
export class AwsRefusal extends Error {
  override readonly name = 'AwsRefusal'
  readonly status: number
  readonly code: string
  /** Seconds, or null for no Retry-After header. */
  readonly retryAfter: number | null

  constructor(status: number, code: string, message: string, retryAfter: number | null = null) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

export const noSuchEntity = (sentence: string): AwsRefusal => new AwsRefusal(404, 'NoSuchEntity', sentence)
export const alreadyExists = (sentence: string): AwsRefusal => new AwsRefusal(409, 'EntityAlreadyExists', sentence)
export const limitExceeded = (sentence: string): AwsRefusal => new AwsRefusal(409, 'LimitExceeded', sentence)
export const deleteConflict = (sentence: string): AwsRefusal => new AwsRefusal(409, 'DeleteConflict', sentence)
/** Refusal while a new entity has not propagated to all of AWS (terraform-provider-aws#4143). */
export const temporarilyUnmodifiable = (sentence: string): AwsRefusal =>
  new AwsRefusal(409, 'EntityTemporarilyUnmodifiable', sentence)
export const invalid = (sentence: string): AwsRefusal => new AwsRefusal(400, 'ValidationError', sentence)
