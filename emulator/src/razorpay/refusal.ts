export class RazorpayRefusal extends Error {
  readonly status: number
  readonly body: object
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    description: string,
    more: { code?: string; field?: string; reason?: string; headers?: Record<string, string> } = {},
  ) {
    super(description)
    this.status = status
    this.headers = more.headers ?? {}
    // A refusal without a reason has no source and no step (razorpay-node#315).
    const applies = more.reason !== 'NA'
    this.body = {
      error: {
        code: more.code ?? 'BAD_REQUEST_ERROR',
        description,
        source: applies ? 'business' : 'NA',
        step: applies ? 'payment_initiation' : 'NA',
        reason: more.reason ?? 'input_validation_failed',
        metadata: {},
        ...(more.field === undefined ? {} : { field: more.field }),
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
