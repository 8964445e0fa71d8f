import { isMap, isNode, isScalar, isSeq, LineCounter, type Pair, parseDocument, visit, type YAMLMap } from 'yaml'
import { errorAt, type Finding, limited } from './finding.ts'

/** Maximum number of lists, maps and pairs in each other. The format needs 13. */
const MAX_DEPTH = 40

/** The library compares each key with all others: 9,000 keys would take seconds. */
const OPTIONS = { version: '1.2', schema: 'core', merge: false, uniqueKeys: false } as const

const SAME_KEY = 'Map keys must be unique.'

export interface ReadYaml {
  /** Undefined if it cannot be read. */
  readonly value?: unknown
  readonly findings: Finding[]
  /** Returns the line of the value that keys lead to, or of the last one that exists. */
  lineOf(keys: readonly string[]): number
}

/** Reads a YAML 1.2 file without aliases and tags. */
export function readYaml(file: string, text: string): ReadYaml {
  const findings: Finding[] = []
  const lines = new LineCounter()
  const lineAt = (offset = 0) => Math.max(1, lines.linePos(offset).line)
  try {
    const document = parseDocument(text, { ...OPTIONS, lineCounter: lines })
    for (const { message, pos } of [...document.errors, ...document.warnings])
      findings.push(errorAt(file, lineAt(pos[0]), `${message.split('\n')[0]!.replace(/ at line \d+.*$/, '')}.`))
    let isReadable = findings.length === 0
    const refuse = (offset: number | undefined, sentence: string) => {
      findings.push(errorAt(file, lineAt(offset), sentence))
      isReadable = false
      return visit.BREAK
    }
    visit(document, {
      Node(_key, node, path) {
        if (isMap(node)) for (const key of repeatedKeys(node)) findings.push(errorAt(file, lineAt(key), SAME_KEY))
        if (path.length > MAX_DEPTH) return refuse(isNode(node) ? node.range?.[0] : 0, TOO_DEEP)
        return 'anchor' in node && node.anchor ? refuse(node.range?.[0], NO_ALIASES) : undefined
      },
      Alias: (_key, node) => refuse(node.range?.[0], NO_ALIASES),
    })
    const offsetOf = offsetsIn(document.contents)
    const lineOf = (keys: readonly string[]) => lineAt(offsetOf(keys))
    return { findings: limited(findings), lineOf, ...(isReadable && { value: document.toJS({ maxAliasCount: 0 }) }) }
  } catch (error) {
    // Deep nesting exhausts the stack of the parser.
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error
    return { findings: [...limited(findings), errorAt(file, '', TOO_DEEP)], lineOf: () => 1 }
  }
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

/** Returns a function with the place where the value begins that keys lead to, or the last one that exists. */
function offsetsIn(contents: unknown) {
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>()
  const pairsOf = (map: YAMLMap) => {
    const known = pairs.get(map) ?? firstPairs(map)
    pairs.set(map, known)
    return known
  }
  return (keys: readonly string[]): number => {
    let node = contents
    let offset = 0
    for (const key of keys) {
      const pair = isMap(node) ? pairsOf(node).get(key) : undefined
      const item = isSeq(node) ? node.items[Number(key)] : pair?.key
      if (!isNode(item)) break
      offset = item.range?.[0] ?? offset
      node = pair ? pair.value : item
    }
    return offset
  }
}

/** Returns the pairs of a map by their keys; the first of a repeated key. */
const firstPairs = ({ items }: YAMLMap): ReadonlyMap<string, Pair> =>
  new Map(items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])))

const TOO_DEEP = 'The values are nested too deeply.'
const NO_ALIASES = 'Anchors and aliases are not allowed. Write the value out.'
