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
export function errorIn(text: string | null | undefined): ErrorBody {
  const body = parsed(text)
  const error = field(body, 'error') ?? body
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
