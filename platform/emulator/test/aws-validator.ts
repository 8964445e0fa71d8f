import { models, type Member, type Model, type Shape } from './aws-models.ts'
import { readXml, type AwsExchange, type Element } from './aws-wire.ts'

export interface AwsVerdict {
  /** Name such as IAM_CreateUser, or 'unknown'. */
  readonly operation: string
  readonly violations: readonly string[]
}

const commonErrors = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'ExpiredToken',
  'IncompleteSignature',
  'InternalFailure',
  'InvalidClientTokenId',
  'MissingAuthenticationToken',
  'RequestExpired',
  'ServiceUnavailable',
  'SignatureDoesNotMatch',
  'Throttling',
  'UnrecognizedClientException',
  'ValidationError',
])

/**
 * Validates one exchange against the model in AWS's own SDK: the operation, its version and signature, the names, types
 * and presence of all members of request and reply, and error codes. Lengths, patterns and enumeration values are not
 * checked because the SDK's models lack them.
 */
export function validateAws(exchange: AwsExchange): AwsVerdict {
  const service = /Credential=[^/]+\/\d{8}\/[^/]+\/(\w+)\/aws4_request/.exec(exchange.headers.authorization ?? '')?.[1]
  const model = models.find((each) => each.service === service)
  if (model === undefined)
    return { operation: 'unknown', violations: ['The request is not signed for a known service.'] }
  return model.protocol === 'query' ? validateQuery(model, exchange) : validateJson(model, exchange)
}

const SERVICE_TITLES = { iam: 'IAM', sts: 'STS', organizations: 'Organizations' } as const

function validateQuery(model: Model, { headers, body, reply }: AwsExchange): AwsVerdict {
  const fields = [...new URLSearchParams(body)]
  const action = fields.find(([name]) => name === 'Action')?.[1] ?? ''
  const version = fields.find(([name]) => name === 'Version')?.[1]
  const definition = model.operations.get(action)
  const operation = `${SERVICE_TITLES[model.service]}_${action}`
  if (definition === undefined) return { operation, violations: [`${operation} is not in the model.`] }
  const findings = new Findings(operation)
  if (version !== model.version) findings.add('request', `has version ${version}`)
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
    findings.add('request', 'is not a form')
  const parameters = fields.filter(([name]) => name !== 'Action' && name !== 'Version')
  if (new Set(parameters.map(([name]) => name)).size !== parameters.length)
    findings.add('request', 'has a duplicate parameter')
  checkForm(findings, 'request', definition.input, new Map(parameters))
  if (reply !== null) validateXml(model, action, definition.output, reply, findings)
  return findings.verdict
}

/** Checks the parameters of one value. The keys of `parameters` are relative to the value. */
function checkForm(findings: Findings, at: string, shape: Shape, fields: ReadonlyMap<string, string>): void {
  if (shape.kind === 'structure') {
    const groups = Map.groupBy(fields, ([name]) => name.split('.', 1)[0] ?? '')
    for (const name of groups.keys()) {
      if (!shape.members.some((member) => member.name === name)) findings.add(`${at}.${name}`, 'is not in the model')
    }
    for (const member of shape.members) {
      const group = groups.get(member.name)
      if (group !== undefined)
        checkForm(findings, `${at}.${member.name}`, member.shape(), fieldsBelow(group, member.name))
      else if (member.required) findings.add(`${at}.${member.name}`, 'is missing')
    }
    return
  }
  if (shape.kind === 'list') {
    const members = fieldsBelow(fields, 'member')
    // An empty list is a parameter with an empty value.
    if (members.size === 0 && fields.size === 1 && fields.get('') === '') return
    if (members.size !== fields.size) findings.add(at, 'is not a list')
    const items = Map.groupBy(members, ([name]) => name.split('.', 1)[0] ?? '')
    if ([...items.keys()].some((number, index) => number !== String(index + 1)))
      findings.add(at, 'is not numbered from 1')
    for (const [number, group] of items)
      checkForm(findings, `${at}.${number}`, shape.item(), fieldsBelow(group, number))
    return
  }
  const value = fields.get('')
  if (value === undefined || fields.size !== 1) findings.add(at, 'is not a single value')
  else checkText(findings, at, shape, value)
}

function fieldsBelow(fields: Iterable<readonly [string, string]>, name: string): Map<string, string> {
  return new Map(
    [...fields].flatMap(([path, value]): [string, string][] =>
      path === name ? [['', value]] : path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), value]] : [],
    ),
  )
}

function checkText(findings: Findings, at: string, shape: Shape, value: string): void {
  if (shape.kind === 'number' && !/^-?\d+(?:\.\d+)?$/.test(value)) findings.add(at, 'is not a number')
  if (shape.kind === 'boolean' && value !== 'true' && value !== 'false') findings.add(at, 'is not a boolean')
  if (shape.kind === 'instant' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value))
    findings.add(at, 'is not a timestamp')
}

function validateXml(
  model: Model,
  action: string,
  output: Shape,
  reply: NonNullable<AwsExchange['reply']>,
  findings: Findings,
) {
  if (reply.headers['content-type']?.startsWith('text/xml') !== true) findings.add('reply', 'is not XML')
  let root: Element
  try {
    root = readXml(reply.body)
  } catch (error) {
    findings.add('reply', `can't be parsed: ${String(error)}`)
    return
  }
  if (reply.status >= 300) {
    const code = root.children.find(({ name }) => name === 'Error')?.children.find(({ name }) => name === 'Code')?.text
    if (root.name !== 'ErrorResponse') findings.add('reply', `is a <${root.name}>`)
    validateCode(model, code ?? '', findings)
    return
  }
  if (root.name !== `${action}Response`) findings.add('reply', `is a <${root.name}>`)
  const result = root.children.find(({ name }) => name === `${action}Result`)
  for (const { name } of root.children) {
    if (name !== `${action}Result` && name !== 'ResponseMetadata') findings.add(`reply.${name}`, 'is not in the model')
  }
  if (result !== undefined) checkXml(findings, 'reply', output, result)
  else if (output.kind === 'structure' && output.members.some(({ required }) => required))
    findings.add('reply', 'has no result')
}

function checkXml(findings: Findings, at: string, shape: Shape, element: Element): void {
  if (shape.kind === 'structure') {
    checkMembers(findings, at, shape.members, new Set(element.children.map(({ name }) => name)))
    for (const child of element.children) {
      const member = shape.members.find(({ name }) => name === child.name)
      if (member !== undefined) checkXml(findings, `${at}.${child.name}`, member.shape(), child)
    }
  } else if (shape.kind === 'list') {
    if (element.children.some(({ name }) => name !== 'member')) findings.add(at, 'is not a list')
    for (const item of element.children) checkXml(findings, `${at}.member`, shape.item(), item)
  } else {
    if (element.children.length > 0) findings.add(at, 'is not a single value')
    checkText(findings, at, shape, element.text)
  }
}

function checkMembers(
  findings: Findings,
  at: string,
  members: readonly Member[],
  presentNames: ReadonlySet<string>,
): void {
  for (const name of presentNames) {
    if (!members.some((member) => member.name === name)) findings.add(`${at}.${name}`, 'is not in the model')
  }
  for (const { name, required } of members) {
    if (required && !presentNames.has(name)) findings.add(`${at}.${name}`, 'is missing')
  }
}

function validateJson(model: Model, { headers, body, reply }: AwsExchange): AwsVerdict {
  const [target, action = ''] = (headers['x-amz-target'] ?? '').split('.')
  const definition = model.operations.get(action)
  const operation = `${SERVICE_TITLES[model.service]}_${action}`
  if (definition === undefined) return { operation, violations: [`${operation} is not in the model.`] }
  const findings = new Findings(operation)
  if (target !== model.version) findings.add('request', `has the target ${target}`)
  if (headers['content-type'] !== 'application/x-amz-json-1.1') findings.add('request', 'is not JSON 1.1')
  checkJson(findings, 'request', definition.input, parseJson(findings, 'request', body))
  if (reply === null) return findings.verdict
  const content = parseJson(findings, 'reply', reply.body === '' ? '{}' : reply.body)
  if (reply.status < 300) checkJson(findings, 'reply', definition.output, content)
  else validateCode(model, (content as { __type?: string } | undefined)?.__type ?? '', findings)
  return findings.verdict
}

function parseJson(findings: Findings, at: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    findings.add(at, "can't be parsed")
    return undefined
  }
}

function checkJson(findings: Findings, at: string, shape: Shape, value: unknown): void {
  const type = typeof value
  switch (shape.kind) {
    case 'structure': {
      if (type !== 'object' || value === null || Array.isArray(value)) return findings.add(at, 'is not a structure')
      const fields = Object.entries(value as object)
      checkMembers(findings, at, shape.members, new Set(fields.map(([name]) => name)))
      for (const [name, field] of fields) {
        const member = shape.members.find((each) => each.name === name)
        if (member !== undefined) checkJson(findings, `${at}.${name}`, member.shape(), field)
      }
      return
    }
    case 'list':
      if (!Array.isArray(value)) return findings.add(at, 'is not a list')
      for (const item of value) checkJson(findings, `${at}[]`, shape.item(), item)
      return
    case 'text':
      return type === 'string' ? undefined : findings.add(at, 'is not a string')
    case 'number':
    case 'instant':
      return type === 'number' ? undefined : findings.add(at, 'is not a number')
    case 'boolean':
      return type === 'boolean' ? undefined : findings.add(at, 'is not a boolean')
    case 'other':
  }
}

function validateCode(model: Model, code: string, findings: Findings): void {
  if (!model.errors.has(code) && !commonErrors.has(code)) findings.add('reply', `has an unknown error code: ${code}`)
}

class Findings {
  readonly #operation: string
  readonly #violations: string[] = []

  constructor(operation: string) {
    this.#operation = operation
  }

  add(at: string, problem: string): void {
    this.#violations.push(`${this.#operation}: ${at} ${problem}`)
  }

  get verdict(): AwsVerdict {
    return { operation: this.#operation, violations: this.#violations }
  }
}
