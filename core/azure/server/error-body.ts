export interface ErrorBody {
  readonly code: string
  readonly message: string
  /** Codes of the error's details. */
  readonly details: readonly string[]
  /** Message of the first detail that has one; empty if none has. */
  readonly detailMessage: string
  /** Names of the policies that denied the request. */
  readonly policies: readonly string[]
  /** Properties of the resource that these policies evaluated, except its type. */
  readonly policyFields: readonly string[]
}

/**
 * Returns the error of a response. A failed group deletion has capitalised names (recorded by
 * azure-libraries-for-java), and some services omit `error`.
 */
export const errorIn = (text: string | null | undefined): ErrorBody => readError(topIn(parsed(text)))

/** Maximum number of errors within each other that are read, and of all errors of a response. */
const DEPTH_MAX = 8
const ERRORS_MAX = 100

/**
 * Returns the error of a response and the errors within it, the innermost first: the outer ones often say only that an
 * operation failed. They are nested in `details` ([R] jenkins-infra/helpdesk#3584), in `innererror` ([D] Microsoft REST
 * API guidelines, "Error condition responses"), and as JSON in messages ([R] MicrosoftDocs/azure-docs#41402).
 */
export function errorsIn(text: string | null | undefined): readonly [ErrorBody, ...ErrorBody[]] {
  const top = topIn(parsed(text))
  const inner: { readonly depth: number; readonly error: ErrorBody }[] = []
  const collect = (error: unknown, depth: number): void => {
    if (depth > DEPTH_MAX || inner.length >= ERRORS_MAX) return
    if (depth > 0 && textIn(error, 'code') !== '') inner.push({ depth, error: readError(error) })
    for (const each of nestedIn(error)) collect(each, depth + 1)
  }
  collect(top, 0)
  const sorted = inner.toSorted((one, other) => other.depth - one.depth).map(({ error }) => error)
  return [...sorted, readError(top)] as unknown as [ErrorBody, ...ErrorBody[]]
}

function nestedIn(error: unknown): unknown[] {
  const message = textIn(error, 'message')
  const quoted = topIn(parsed(/\{.*\}/s.exec(message)?.[0]))
  return [...listIn(error, 'details'), field(error, 'innererror'), quoted].filter((each) => each !== null)
}

/** Returns the error of a body. A failed asynchronous operation has `status` beside it. */
const topIn = (body: unknown): unknown => field(body, 'error') ?? body

function readError(error: unknown): ErrorBody {
  const details = listIn(error, 'details')
  const message = textIn(error, 'message')
  const violations = [error, ...details]
    .flatMap((each) => listIn(each, 'additionalinfo'))
    .filter((info) => textIn(info, 'type') === 'PolicyViolation')
    .map((info) => field(info, 'info'))
  const policies = violations.map(policyName).filter((name) => name !== '')
  return {
    code: textIn(error, 'code'),
    message,
    details: details.map((each) => textIn(each, 'code')).filter((code) => code !== ''),
    detailMessage: details.map((each) => textIn(each, 'message')).find((each) => each !== '') ?? '',
    policies: unique(policies.length === 0 ? policiesNamedIn(message) : policies),
    policyFields: unique(violations.flatMap(evaluatedFields)),
  }
}

/**
 * Returns the name of a policy. Azure's portal names an assignment like its policy; other names are those that the
 * customer's administrators chose.
 */
function policyName(violation: unknown): string {
  const policy = textIn(violation, 'policydefinitiondisplayname') || textIn(violation, 'policydefinitionname')
  const assignment = textIn(violation, 'policyassignmentdisplayname') || textIn(violation, 'policyassignmentname')
  if (policy === '') return assignment === '' ? '' : `'${assignment}'`
  return assignment === '' || assignment === policy ? `'${policy}'` : `'${policy}' (assigned as '${assignment}')`
}

/**
 * Returns the policies that the message names. Older services state them only there: `Policy identifiers:
 * '[{"policyDefinition":{"name":...`.
 */
function policiesNamedIn(message: string): string[] {
  const identifiers = parsed(/Policy identifiers: '(\[.*\])'/s.exec(message)?.[1])
  if (!Array.isArray(identifiers)) return []
  return identifiers
    .map((each) => textIn(field(each, 'policydefinition'), 'name') || textIn(field(each, 'policyassignment'), 'name'))
    .filter((name) => name !== '')
    .map((name) => `'${name}'`)
}

function evaluatedFields(violation: unknown): string[] {
  return listIn(field(violation, 'evaluationdetails'), 'evaluatedexpressions')
    .filter((each) => textIn(each, 'expressionkind') === 'Field')
    .map((each) => textIn(each, 'path'))
    .filter((path) => path !== '' && path !== 'type')
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

function field(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1] ?? undefined
}

function listIn(object: unknown, name: string): unknown[] {
  const value = field(object, name)
  return Array.isArray(value) ? value : []
}

function textIn(object: unknown, name: string): string {
  const value = field(object, name)
  return typeof value === 'string' ? value : ''
}
