import { isMap, isNode, isScalar, isSeq, parseDocument, visit } from 'yaml'
import { errorAt, type Finding, UnreadableGuide } from './finding.ts'

/** Maximum number of lists, maps and pairs in each other. The format needs 13. */
const MAX_DEPTH = 40

/** Returns the value of a YAML 1.2 file without aliases and tags. @throws UnreadableGuide */
export function readYaml(file: string, text: string): unknown {
  const findings: Finding[] = []
  const lineAt = (offset = 0) => `line ${text.slice(0, offset).split('\n').length}`
  try {
    const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, uniqueKeys: true })
    for (const { message, pos } of [...document.errors, ...document.warnings])
      findings.push(errorAt(file, lineAt(pos[0]), `${message.split('\n')[0]!.replace(/ at line \d+.*$/, '')}.`))
    visit(document, {
      Node(_key, node, path) {
        if (!('anchor' in node && node.anchor) && path.length <= MAX_DEPTH) return undefined
        const sentence = path.length > MAX_DEPTH ? 'The values are nested too deeply.' : NO_ALIASES
        findings.push(errorAt(file, lineAt(isNode(node) ? node.range?.[0] : 0), sentence))
        return visit.BREAK
      },
      Alias(_key, node) {
        findings.push(errorAt(file, lineAt(node.range?.[0]), NO_ALIASES))
        return visit.BREAK
      },
    })
    if (findings.length === 0) return document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    // Deep nesting exhausts the stack of the parser.
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error
    findings.push(errorAt(file, '', 'The values are nested too deeply.'))
  }
  throw new UnreadableGuide(findings)
}

/** Returns the line of the value that the keys lead to, or of the last one that exists. */
export function lineOfKeys(text: string, keys: readonly string[]): number {
  let node: unknown = parseDocument(text, { version: '1.2', schema: 'core', merge: false }).contents
  let offset = 0
  for (const key of keys) {
    const pair = isMap(node) ? node.items.find((each) => isScalar(each.key) && String(each.key.value) === key) : null
    const item = isSeq(node) ? node.items[Number(key)] : pair?.key
    if (!isNode(item)) break
    offset = item.range?.[0] ?? offset
    node = pair ? pair.value : item
  }
  return text.slice(0, offset).split('\n').length
}

const NO_ALIASES = 'Anchors and aliases are not allowed. Write the value out.'
