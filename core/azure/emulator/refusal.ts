/** An error reply in Microsoft Graph's own format. Thrown by a handler, it rolls back the handler's changes. */
export class GraphRefusal extends Error {
  override readonly name = 'GraphRefusal'
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly details: readonly { readonly code: string; readonly target: string; readonly message: string }[]

  constructor(
    status: number,
    code: string,
    message: string,
    options: { headers?: GraphRefusal['headers']; details?: GraphRefusal['details'] } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = options.headers ?? {}
    this.details = options.details ?? []
  }
}

export function badRequest(message: string): GraphRefusal {
  return new GraphRefusal(400, 'Request_BadRequest', message)
}

export function nameTaken(target: string): GraphRefusal {
  const message = `Another object with the same value for property ${target} already exists.`
  return new GraphRefusal(400, 'Request_BadRequest', message, {
    details: [{ code: 'ObjectConflict', target, message }],
  })
}

export function notFound(id: string): GraphRefusal {
  return new GraphRefusal(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  )
}

export function notAuthenticated(): GraphRefusal {
  return new GraphRefusal(401, 'InvalidAuthenticationToken', 'Access token is empty, invalid or has expired.')
}
