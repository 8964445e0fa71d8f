/** Types of errors of RFC 7644, section 3.12 (rfc-editor.org/rfc/rfc7644). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A refused SCIM request. `message` is sent to the client. Throwing the error rolls back the request's transaction. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | null
  override readonly name = 'ScimError'

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const badRequest = (scimType: ScimType, detail: string): ScimError => new ScimError(400, scimType, detail)

export const noResource = (id: string): ScimError => new ScimError(404, null, `Resource ${id} not found.`)

export const notUnique = (detail: string): ScimError => new ScimError(409, 'uniqueness', detail)
