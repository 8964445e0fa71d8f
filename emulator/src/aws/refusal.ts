/** An error reply in AWS's own format. Thrown by a handler, it rolls back the handler's changes. */
export class AwsRefusal extends Error {
  override readonly name = 'AwsRefusal'
  readonly status: number
  readonly code: string
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
/** The entity has not propagated to all of AWS yet (terraform-provider-aws#4143). */
export const temporarilyUnmodifiable = (sentence: string): AwsRefusal =>
  new AwsRefusal(409, 'EntityTemporarilyUnmodifiable', sentence)
export const invalid = (sentence: string): AwsRefusal => new AwsRefusal(400, 'ValidationError', sentence)
