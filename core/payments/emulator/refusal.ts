export class RazorpayRefusal extends Error {
  readonly status: number
  readonly body: object
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    description: string,
    options: { code?: string; field?: string; reason?: string; headers?: Record<string, string> } = {},
  ) {
    super(description)
    this.status = status
    this.headers = options.headers ?? {}
    // A refusal without a reason has no source and no step (razorpay-node#315).
    const applies = options.reason !== 'NA'
    this.body = {
      error: {
        code: options.code ?? 'BAD_REQUEST_ERROR',
        description,
        source: applies ? 'business' : 'NA',
        step: applies ? 'payment_initiation' : 'NA',
        reason: options.reason ?? 'input_validation_failed',
        metadata: {},
        ...(options.field === undefined ? {} : { field: options.field }),
      },
    }
  }
}

export const notAuthenticated = (): RazorpayRefusal =>
  new RazorpayRefusal(401, 'Authentication failed', { reason: 'NA' })

export const noSuchUrl = (): RazorpayRefusal =>
  new RazorpayRefusal(400, 'The requested URL was not found on the server.', { reason: 'NA' })

/** Razorpay answers 400, not 404, for an unknown ID. */
export const noSuchId = (): RazorpayRefusal => new RazorpayRefusal(400, 'The id provided does not exist')

export const invalidField = (field: string, description: string): RazorpayRefusal =>
  new RazorpayRefusal(400, description, { field })
