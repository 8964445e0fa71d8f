import { models, type Member, type Model, type Shape } from '#test/aws-models.ts'
import { readXml, type AwsExchange, type Element } from '#test/aws-wire.ts'

export interface AwsVerdict {
  /** IAM_CreateUser, or what could not be told. */
  readonly operation: string
  readonly violations: readonly string[]
}

/** Codes that any service of AWS may answer with. */
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
 * Holds one exchange against the model that AWS's own SDK carries: the operation, its version and signature, every
 * member of the request and of the reply by name and shape, those that must be there, and the codes of errors. What
 * the SDK leaves out of its models (lengths, patterns, values of enumerations) is not looked at.
 */
export function judgeAws(exchange: AwsExchange): AwsVerdict {
  const service = /Credential=[^/]+\/\d{8}\/[^/]+\/(\w+)\/aws4_request/.exec(exchange.headers.authorization ?? '')?.[1]
  const model = models.find((each) => each.service === service)
  if (model === undefined)
    return { operation: 'unknown', violations: ['It is not signed for a service that is known.'] }
  return model.protocol === 'query' ? judgeQuery(model, exchange) : judgeJson(model, exchange)
}

const titles = { iam: 'IAM', sts: 'STS', organizations: 'Organizations' } as const

function judgeQuery(model: Model, { headers, body, reply }: AwsExchange): AwsVerdict {
  const fields = [...new URLSearchParams(body)]
  const action = fields.find(([name]) => name === 'Action')?.[1] ?? ''
  const version = fields.find(([name]) => name === 'Version')?.[1]
  const known = model.operations.get(action)
  const operation = `${titles[model.service]}_${action}`
  if (known === undefined) return { operation, violations: [`${operation} is not in the model.`] }
  const found = new Findings(operation)
  if (version !== model.version) found.add('request', `has version ${version}`)
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
    found.add('request', 'is no form')
  const rest = fields.filter(([name]) => name !== 'Action' && name !== 'Version')
  if (new Set(rest.map(([name]) => name)).size !== rest.length) found.add('request', 'names a parameter twice')
  formFits(found, 'request', known.input, new Map(rest))
  if (reply !== null) judgeXml(model, action, known.output, reply, found)
  return found.verdict
}

/** Parameters of one structure, by what is left of their names. */
function formFits(found: Findings, at: string, shape: Shape, fields: ReadonlyMap<string, string>): void {
  if (shape.kind === 'structure') {
    const groups = Map.groupBy(fields, ([name]) => name.split('.', 1)[0] ?? '')
    for (const name of groups.keys()) {
      if (!shape.members.some((member) => member.name === name)) found.add(`${at}.${name}`, 'is not in the model')
    }
    for (const member of shape.members) {
      const group = groups.get(member.name)
      if (group !== undefined) formFits(found, `${at}.${member.name}`, member.shape(), below(group, member.name))
      else if (member.required) found.add(`${at}.${member.name}`, 'is missing')
    }
    return
  }
  if (shape.kind === 'list') {
    const members = below(fields, 'member')
    // An empty list stands as a parameter with nothing in it.
    if (members.size === 0 && fields.size === 1 && fields.get('') === '') return
    if (members.size !== fields.size) found.add(at, 'is no list')
    const items = Map.groupBy(members, ([name]) => name.split('.', 1)[0] ?? '')
    if ([...items.keys()].some((number, index) => number !== String(index + 1))) found.add(at, 'is not numbered from 1')
    for (const [number, group] of items) formFits(found, `${at}.${number}`, shape.item(), below(group, number))
    return
  }
  const value = fields.get('')
  if (value === undefined || fields.size !== 1) found.add(at, 'is no single value')
  else textFits(found, at, shape, value)
}

function below(fields: Iterable<readonly [string, string]>, name: string): Map<string, string> {
  return new Map(
    [...fields].flatMap(([path, value]): [string, string][] =>
      path === name ? [['', value]] : path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), value]] : [],
    ),
  )
}

function textFits(found: Findings, at: string, shape: Shape, value: string): void {
  if (shape.kind === 'number' && !/^-?\d+(?:\.\d+)?$/.test(value)) found.add(at, 'is no number')
  if (shape.kind === 'boolean' && value !== 'true' && value !== 'false') found.add(at, 'is neither true nor false')
  if (shape.kind === 'instant' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value))
    found.add(at, 'is no instant')
}

function judgeXml(
  model: Model,
  action: string,
  output: Shape,
  reply: NonNullable<AwsExchange['reply']>,
  found: Findings,
) {
  if (reply.headers['content-type']?.startsWith('text/xml') !== true) found.add('reply', 'is no XML')
  let root: Element
  try {
    root = readXml(reply.body)
  } catch (error) {
    found.add('reply', `can't be read: ${String(error)}`)
    return
  }
  if (reply.status >= 300) {
    const code = root.children.find(({ name }) => name === 'Error')?.children.find(({ name }) => name === 'Code')?.text
    if (root.name !== 'ErrorResponse') found.add('reply', `is a <${root.name}>`)
    judgeCode(model, code ?? '', found)
    return
  }
  if (root.name !== `${action}Response`) found.add('reply', `is a <${root.name}>`)
  const result = root.children.find(({ name }) => name === `${action}Result`)
  for (const { name } of root.children) {
    if (name !== `${action}Result` && name !== 'ResponseMetadata') found.add(`reply.${name}`, 'is not in the model')
  }
  if (result !== undefined) xmlFits(found, 'reply', output, result)
  else if (output.kind === 'structure' && output.members.some(({ required }) => required))
    found.add('reply', 'has no result')
}

function xmlFits(found: Findings, at: string, shape: Shape, element: Element): void {
  if (shape.kind === 'structure') {
    membersFit(found, at, shape.members, new Set(element.children.map(({ name }) => name)))
    for (const child of element.children) {
      const member = shape.members.find(({ name }) => name === child.name)
      if (member !== undefined) xmlFits(found, `${at}.${child.name}`, member.shape(), child)
    }
  } else if (shape.kind === 'list') {
    if (element.children.some(({ name }) => name !== 'member')) found.add(at, 'is no list')
    for (const item of element.children) xmlFits(found, `${at}.member`, shape.item(), item)
  } else {
    if (element.children.length > 0) found.add(at, 'is no single value')
    textFits(found, at, shape, element.text)
  }
}

function membersFit(found: Findings, at: string, members: readonly Member[], there: ReadonlySet<string>): void {
  for (const name of there) {
    if (!members.some((member) => member.name === name)) found.add(`${at}.${name}`, 'is not in the model')
  }
  for (const { name, required } of members) {
    if (required && !there.has(name)) found.add(`${at}.${name}`, 'is missing')
  }
}

function judgeJson(model: Model, { headers, body, reply }: AwsExchange): AwsVerdict {
  const [target, action = ''] = (headers['x-amz-target'] ?? '').split('.')
  const known = model.operations.get(action)
  const operation = `${titles[model.service]}_${action}`
  if (known === undefined) return { operation, violations: [`${operation} is not in the model.`] }
  const found = new Findings(operation)
  if (target !== model.version) found.add('request', `is meant for ${target}`)
  if (headers['content-type'] !== 'application/x-amz-json-1.1') found.add('request', 'is no JSON 1.1')
  jsonFits(found, 'request', known.input, parsed(found, 'request', body))
  if (reply === null) return found.verdict
  const said = parsed(found, 'reply', reply.body === '' ? '{}' : reply.body)
  if (reply.status < 300) jsonFits(found, 'reply', known.output, said)
  else judgeCode(model, (said as { __type?: string } | undefined)?.__type ?? '', found)
  return found.verdict
}

function parsed(found: Findings, at: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    found.add(at, "can't be read")
    return undefined
  }
}

function jsonFits(found: Findings, at: string, shape: Shape, value: unknown): void {
  const said = typeof value
  switch (shape.kind) {
    case 'structure': {
      if (said !== 'object' || value === null || Array.isArray(value)) return found.add(at, 'is no structure')
      const fields = Object.entries(value as object)
      membersFit(found, at, shape.members, new Set(fields.map(([name]) => name)))
      for (const [name, field] of fields) {
        const member = shape.members.find((each) => each.name === name)
        if (member !== undefined) jsonFits(found, `${at}.${name}`, member.shape(), field)
      }
      return
    }
    case 'list':
      if (!Array.isArray(value)) return found.add(at, 'is no list')
      for (const item of value) jsonFits(found, `${at}[]`, shape.item(), item)
      return
    case 'text':
      return said === 'string' ? undefined : found.add(at, 'is no text')
    case 'number':
    case 'instant':
      return said === 'number' ? undefined : found.add(at, 'is no number')
    case 'boolean':
      return said === 'boolean' ? undefined : found.add(at, 'is neither true nor false')
    case 'other':
  }
}

function judgeCode(model: Model, code: string, found: Findings): void {
  if (!model.errors.has(code) && !commonErrors.has(code)) found.add('reply', `has an error that is not known: ${code}`)
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
