export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly details: readonly string[]
}

/** A failed group deletion has capitalised names (recorded by azure-libraries-for-java); some services omit `error`. */
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
