import type { AwsService, Structure, Value } from './operation.ts'
import { invalid, type AwsRefusal } from './refusal.ts'

export const queryServices: Readonly<Partial<Record<AwsService, { version: string; namespace: string }>>> = {
  iam: { version: '2010-05-08', namespace: 'https://iam.amazonaws.com/doc/2010-05-08/' },
  sts: { version: '2011-06-15', namespace: 'https://sts.amazonaws.com/doc/2011-06-15/' },
}

type Tree = Map<string, Tree | string>

/** Parses a form: `Tags.member.1.Key=a` becomes `{ Tags: [{ Key: 'a' }] }`. */
export function readForm(body: string): { action: string; version: string; input: Structure } {
  const tree: Tree = new Map()
  let action = ''
  let version = ''
  for (const [name, value] of new URLSearchParams(body)) {
    if (name === 'Action') action = value
    else if (name === 'Version') version = value
    else insertValue(tree, name.split('.'), value)
  }
  return { action, version, input: structureOf(tree) }
}

function insertValue(tree: Tree, path: readonly string[], value: string): void {
  const [first, ...rest] = path
  if (first === undefined) return
  if (rest.length === 0) {
    tree.set(first, value)
    return
  }
  const branch = tree.get(first)
  if (typeof branch === 'string') throw invalid(`The parameter ${first} is given twice.`)
  const next: Tree = branch ?? new Map()
  tree.set(first, next)
  insertValue(next, rest, value)
}

function structureOf(tree: Tree): Structure {
  return Object.fromEntries(
    [...tree].map(([name, value]) => [name, typeof value === 'string' ? value : listOrStructure(value)]),
  )
}

function listOrStructure(tree: Tree): Value {
  const list = tree.get('member')
  if (tree.size !== 1 || list === undefined || typeof list === 'string') return structureOf(tree)
  return [...list]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, value]) => (typeof value === 'string' ? value : structureOf(value)))
}

export function xmlReply(action: string, namespace: string, output: Structure | undefined, requestId: string): string {
  const result = output === undefined ? '' : `<${action}Result>${elementsOf(output)}</${action}Result>`
  return `<${action}Response xmlns="${namespace}">${result}<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${action}Response>`
}

export function xmlRefusal(namespace: string, refusal: AwsRefusal, requestId: string): string {
  const type = refusal.status >= 500 ? 'Receiver' : 'Sender'
  return `<ErrorResponse xmlns="${namespace}"><Error><Type>${type}</Type><Code>${refusal.code}</Code><Message>${escapeXml(refusal.message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
}

function elementsOf(structure: Structure): string {
  return Object.entries(structure)
    .map(([name, value]) => (value === undefined ? '' : `<${name}>${contentOf(value)}</${name}>`))
    .join('')
}

function contentOf(value: Value): string {
  if (value instanceof Date) return value.toISOString().replace(/\.\d{3}Z$/, 'Z')
  if (Array.isArray(value)) return value.map((each: Value) => `<member>${contentOf(each)}</member>`).join('')
  if (typeof value === 'object') return elementsOf(value as Structure)
  return escapeXml(String(value))
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
