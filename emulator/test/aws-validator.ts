import { models, type Member, type Model, type Shape } from '#test/aws-models.ts'
import { readXml, type AwsExchange, type Element } from '#test/aws-wire.ts'

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

const titles = { iam: 'IAM', sts: 'STS', organizations: 'Organizations' } as const

function validateQuery(model: Model, { headers, body, reply }: AwsExchange): AwsVerdict {
  const fields = [...new URLSearchParams(body)]
  const action = fields.find(([name]) => name === 'Action')?.[1] ?? ''
  const version = fields.find(([name]) => name === 'Version')?.[1]
  const known = model.operations.get(action)
  const operation = `${titles[model.service]}_${action}`
  if (known === undefined) return { operation, violations: [`${operation} is not in the model.`] }
  const found = new Findings(operation)
  if (version !== model.version) found.add('request', `has version ${version}`)
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
    found.add('request', 'is not a form')
  const rest = fields.filter(([name]) => name !== 'Action' && name !== 'Version')
  if (new Set(rest.map(([name]) => name)).size !== rest.length) found.add('request', 'has a duplicate parameter')
  checkForm(found, 'request', known.input, new Map(rest))
  if (reply !== null) validateXml(model, action, known.output, reply, found)
  return found.verdict
}

/** Checks the parameters of one value. The keys of `parameters` are relative to the value. */
function checkForm(found: Findings, at: string, shape: Shape, fields: ReadonlyMap<string, string>): void {
  if (shape.kind === 'structure') {
    const groups = Map.groupBy(fields, ([name]) => name.split('.', 1)[0] ?? '')
    for (const name of groups.keys()) {
      if (!shape.members.some((member) => member.name === name)) found.add(`${at}.${name}`, 'is not in the model')
    }
    for (const member of shape.members) {
      const group = groups.get(member.name)
      if (group !== undefined) checkForm(found, `${at}.${member.name}`, member.shape(), fieldsBelow(group, member.name))
      else if (member.required) found.add(`${at}.${member.name}`, 'is missing')
    }
    return
  }
  if (shape.kind === 'list') {
    const members = fieldsBelow(fields, 'member')
    // An empty list is a parameter with an empty value.
    if (members.size === 0 && fields.size === 1 && fields.get('') === '') return
    if (members.size !== fields.size) found.add(at, 'is not a list')
    const items = Map.groupBy(members, ([name]) => name.split('.', 1)[0] ?? '')
    if ([...items.keys()].some((number, index) => number !== String(index + 1))) found.add(at, 'is not numbered from 1')
    for (const [number, group] of items) checkForm(found, `${at}.${number}`, shape.item(), fieldsBelow(group, number))
    return
  }
  const value = fields.get('')
  if (value === undefined || fields.size !== 1) found.add(at, 'is not a single value')
  else checkText(found, at, shape, value)
}

function fieldsBelow(fields: Iterable<readonly [string, string]>, name: string): Map<string, string> {
  return new Map(
    [...fields].flatMap(([path, value]): [string, string][] =>
      path === name ? [['', value]] : path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), value]] : [],
    ),
  )
}

function checkText(found: Findings, at: string, shape: Shape, value: string): void {
  if (shape.kind === 'number' && !/^-?\d+(?:\.\d+)?$/.test(value)) found.add(at, 'is not a number')
  if (shape.kind === 'boolean' && value !== 'true' && value !== 'false') found.add(at, 'is not a boolean')
  if (shape.kind === 'instant' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value))
    found.add(at, 'is not a timestamp')
}

function validateXml(
  model: Model,
  action: string,
  output: Shape,
  reply: NonNullable<AwsExchange['reply']>,
  found: Findings,
) {
  if (reply.headers['content-type']?.startsWith('text/xml') !== true) found.add('reply', 'is not XML')
  let root: Element
  try {
    root = readXml(reply.body)
  } catch (error) {
    found.add('reply', `can't be parsed: ${String(error)}`)
    return
  }
  if (reply.status >= 300) {
    const code = root.children.find(({ name }) => name === 'Error')?.children.find(({ name }) => name === 'Code')?.text
    if (root.name !== 'ErrorResponse') found.add('reply', `is a <${root.name}>`)
    validateCode(model, code ?? '', found)
    return
  }
  if (root.name !== `${action}Response`) found.add('reply', `is a <${root.name}>`)
  const result = root.children.find(({ name }) => name === `${action}Result`)
  for (const { name } of root.children) {
    if (name !== `${action}Result` && name !== 'ResponseMetadata') found.add(`reply.${name}`, 'is not in the model')
  }
  if (result !== undefined) checkXml(found, 'reply', output, result)
  else if (output.kind === 'structure' && output.members.some(({ required }) => required))
    found.add('reply', 'has no result')
}

function checkXml(found: Findings, at: string, shape: Shape, element: Element): void {
  if (shape.kind === 'structure') {
    checkMembers(found, at, shape.members, new Set(element.children.map(({ name }) => name)))
    for (const child of element.children) {
      const member = shape.members.find(({ name }) => name === child.name)
      if (member !== undefined) checkXml(found, `${at}.${child.name}`, member.shape(), child)
    }
  } else if (shape.kind === 'list') {
    if (element.children.some(({ name }) => name !== 'member')) found.add(at, 'is not a list')
    for (const item of element.children) checkXml(found, `${at}.member`, shape.item(), item)
  } else {
    if (element.children.length > 0) found.add(at, 'is not a single value')
    checkText(found, at, shape, element.text)
  }
}

function checkMembers(found: Findings, at: string, members: readonly Member[], there: ReadonlySet<string>): void {
  for (const name of there) {
    if (!members.some((member) => member.name === name)) found.add(`${at}.${name}`, 'is not in the model')
  }
  for (const { name, required } of members) {
    if (required && !there.has(name)) found.add(`${at}.${name}`, 'is missing')
  }
}

function validateJson(model: Model, { headers, body, reply }: AwsExchange): AwsVerdict {
  const [target, action = ''] = (headers['x-amz-target'] ?? '').split('.')
  const known = model.operations.get(action)
  const operation = `${titles[model.service]}_${action}`
  if (known === undefined) return { operation, violations: [`${operation} is not in the model.`] }
  const found = new Findings(operation)
  if (target !== model.version) found.add('request', `has the target ${target}`)
  if (headers['content-type'] !== 'application/x-amz-json-1.1') found.add('request', 'is not JSON 1.1')
  checkJson(found, 'request', known.input, parsed(found, 'request', body))
  if (reply === null) return found.verdict
  const said = parsed(found, 'reply', reply.body === '' ? '{}' : reply.body)
  if (reply.status < 300) checkJson(found, 'reply', known.output, said)
  else validateCode(model, (said as { __type?: string } | undefined)?.__type ?? '', found)
  return found.verdict
}

function parsed(found: Findings, at: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    found.add(at, "can't be parsed")
    return undefined
  }
}

function checkJson(found: Findings, at: string, shape: Shape, value: unknown): void {
  const said = typeof value
  switch (shape.kind) {
    case 'structure': {
      if (said !== 'object' || value === null || Array.isArray(value)) return found.add(at, 'is not a structure')
      const fields = Object.entries(value as object)
      checkMembers(found, at, shape.members, new Set(fields.map(([name]) => name)))
      for (const [name, field] of fields) {
        const member = shape.members.find((each) => each.name === name)
        if (member !== undefined) checkJson(found, `${at}.${name}`, member.shape(), field)
      }
      return
    }
    case 'list':
      if (!Array.isArray(value)) return found.add(at, 'is not a list')
      for (const item of value) checkJson(found, `${at}[]`, shape.item(), item)
      return
    case 'text':
      return said === 'string' ? undefined : found.add(at, 'is not a string')
    case 'number':
    case 'instant':
      return said === 'number' ? undefined : found.add(at, 'is not a number')
    case 'boolean':
      return said === 'boolean' ? undefined : found.add(at, 'is not a boolean')
    case 'other':
  }
}

function validateCode(model: Model, code: string, found: Findings): void {
  if (!model.errors.has(code) && !commonErrors.has(code)) found.add('reply', `has an unknown error code: ${code}`)
}

class Findings {
  readonly #operation: string
  readonly #violations: string[] = []

  constructor(operation: string) {
    this.#operation = operation
  }

  add(at: string, what: string): void {
    this.#violations.push(`${this.#operation}: ${at} ${what}`)
  }

  get verdict(): AwsVerdict {
    return { operation: this.#operation, violations: this.#violations }
  }
}
