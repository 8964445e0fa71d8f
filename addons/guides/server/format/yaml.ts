import { isMap, isNode, isScalar, isSeq, parseDocument, visit, type YAMLMap } from 'yaml'
import { errorAt, type Finding, UnreadableGuide } from './finding.ts'

/** Maximum number of lists, maps and pairs in each other. The format needs 13. */
const MAX_DEPTH = 40

/** The library compares each key with all others: 9,000 keys would take seconds. */
const OPTIONS = { version: '1.2', schema: 'core', merge: false, uniqueKeys: false } as const

const SAME_KEY = 'Map keys must be unique.'

/** Returns the value of a YAML 1.2 file without aliases and tags. @throws UnreadableGuide */
export function readYaml(file: string, text: string): unknown {
  const findings: Finding[] = []
  const lineAt = (offset = 0) => `line ${text.slice(0, offset).split('\n').length}`
  try {
    const document = parseDocument(text, OPTIONS)
    for (const { message, pos } of [...document.errors, ...document.warnings])
      findings.push(errorAt(file, lineAt(pos[0]), `${message.split('\n')[0]!.replace(/ at line \d+.*$/, '')}.`))
    visit(document, {
      Node(_key, node, path) {
        if (isMap(node)) for (const key of repeatedKeys(node)) findings.push(errorAt(file, lineAt(key), SAME_KEY))
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

/** Returns the places of keys that a map has already. */
function repeatedKeys(map: YAMLMap): (number | undefined)[] {
  const keys = new Set<string>()
  return map.items.flatMap(({ key }) => {
    const name = String(isScalar(key) ? key.value : key)
    if (keys.has(name)) return [isNode(key) ? key.range?.[0] : undefined]
    keys.add(name)
    return []
  })
}

/** Returns a function for the line of the value that keys lead to, or of the last one that exists. */
export function linesOf(text: string): (keys: readonly string[]) => number {
  const { contents } = parseDocument(text, OPTIONS)
  return (keys) => {
    let node: unknown = contents
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
}

const NO_ALIASES = 'Anchors and aliases are not allowed. Write the value out.'
