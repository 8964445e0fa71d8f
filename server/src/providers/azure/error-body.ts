/** The error in an answer's body; empty where it says nothing. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  /** The codes of its details, in their order. */
  readonly details: readonly string[]
}

/**
 * Reads `{error: {code, message, details}}`. A failed deletion of a group writes all of it with capitals
 * (`{Error: {Code}}`, recorded by azure-libraries-for-java), and some services leave the outer object away.
 */
export function errorIn(text: string | null | undefined): ErrorBody {
  const body = parsed(text)
  const error = field(body, 'error') ?? body
  const details = field(error, 'details')
  return {
    code: textIn(error, 'code'),
    message: textIn(error, 'message'),
    details: Array.isArray(details) ? details.map((each) => textIn(each, 'code')).filter((code) => code !== '') : [],
  }
}

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

function field(of: unknown, name: string): unknown {
  if (typeof of !== 'object' || of === null) return undefined
  return Object.entries(of).find(([key]) => key.toLowerCase() === name)?.[1] ?? undefined
}

function textIn(of: unknown, name: string): string {
  const value = field(of, name)
  return typeof value === 'string' ? value : ''
}
