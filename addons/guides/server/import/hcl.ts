import { linesOf } from './markdown.ts'

/** A reference or another expression that is not evaluated, as it is written. */
interface HclExpression {
  readonly expression: string
}
export type HclValue =
  | string
  | number
  | boolean
  | null
  | HclExpression
  | readonly HclValue[]
  | { readonly fields: ReadonlyMap<string, HclValue> }

export interface HclBlock {
  readonly type: string
  readonly labels: readonly string[]
  /** From 1. */
  readonly line: number
  readonly values: ReadonlyMap<string, HclValue>
  readonly blocks: readonly HclBlock[]
}

/** The file is not HCL that the importer understands. */
export class HclError extends Error {
  override readonly name = 'HclError'
  readonly line: number

  constructor(line: number) {
    super(`Line ${line} is not understood.`)
    this.line = line
  }
}

/**
 * Reads the blocks and values of a file of HashiCorp's configuration language. Expressions remain text.
 * Source: github.com/hashicorp/hcl, hclsyntax/spec.md.
 * @throws HclError
 */
export function parseHcl(text: string): readonly HclBlock[] {
  return new Parser(text).body('').blocks
}

type Body = Pick<HclBlock, 'values' | 'blocks'>

const DEPTH_MAX = 40

class Parser {
  readonly #text: string
  readonly #lineOf: (index: number) => number
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#lineOf = linesOf(text)
  }

  /** Reads until the end of the block, or of the file. */
  body(end: '' | '}'): Body {
    this.#enter()
    const values = new Map<string, HclValue>()
    const blocks: HclBlock[] = []
    for (;;) {
      this.#skip(/[\s,]/)
      if (this.#at >= this.#text.length || this.#peek('}')) {
        if (end === '' ? this.#at < this.#text.length : !this.#peek('}')) this.#fail()
        if (end !== '') this.#at++
        this.#depth -= 1
        return { values, blocks }
      }
      const line = this.#line()
      const name = this.#word()
      this.#skip(/[ \t]/)
      if (this.#peek('=') && !this.#peek('==')) {
        this.#at++
        values.set(name, this.#value())
        continue
      }
      const labels: string[] = []
      while (!this.#peek('{')) {
        labels.push(this.#peek('"') ? this.#quoted() : this.#word())
        this.#skip(/[ \t]/)
      }
      this.#at++
      blocks.push({ type: name, labels, line, ...this.body('}') })
    }
  }

  #value(): HclValue {
    this.#enter()
    const value = this.#anyValue()
    this.#depth -= 1
    return value
  }

  /** A value that is no literal is read again as an expression, which takes long if that happens at every level. */
  #enter(): void {
    this.#depth += 1
    if (this.#depth > DEPTH_MAX) this.#fail()
  }

  #anyValue(): HclValue {
    this.#skip(/[ \t]/)
    if (this.#peek('<<')) return this.#heredoc()
    const start = this.#at
    const value = this.#simple()
    this.#skip(/[ \t]/)
    if (value !== undefined && (this.#at >= this.#text.length || /^(?:[\n\r,}\]]|#|\/\/|\/\*)/.test(this.#rest(2))))
      return value
    this.#at = start
    return { expression: this.#expression() }
  }

  /** Returns a list, an object or a literal; undefined if the value begins otherwise. */
  #simple(): HclValue | undefined {
    if (this.#peek('"')) return this.#quoted()
    if (this.#peek('[')) {
      this.#at++
      const all: HclValue[] = []
      for (;;) {
        this.#skip(/[\s,]/)
        if (this.#peek(']')) break
        all.push(this.#value())
      }
      this.#at++
      return all
    }
    if (this.#peek('{')) {
      this.#at++
      const fields = new Map<string, HclValue>()
      for (;;) {
        this.#skip(/[\s,]/)
        if (this.#peek('}')) break
        const key = this.#peek('"') ? this.#quoted() : this.#word()
        this.#skip(/[ \t]/)
        if (!this.#peek('=') && !this.#peek(':')) this.#fail()
        this.#at++
        fields.set(key, this.#value())
      }
      this.#at++
      return { fields }
    }
    const literal = /^(?:-?\d+(?:\.\d+)?|true|false|null)(?![\w.-])/.exec(this.#rest(40))?.[0]
    if (literal === undefined) return undefined
    this.#at += literal.length
    return JSON.parse(literal) as HclValue
  }

  /** Reads to the end of the line, or of the list or object, outside of brackets and strings. */
  #expression(): string {
    const start = this.#at
    for (let depth = 0; this.#at < this.#text.length;) {
      if (this.#peek('"')) {
        this.#quoted()
        continue
      }
      const char = this.#text[this.#at]!
      if ('([{'.includes(char)) depth++
      if (depth === 0 && /[\n,\]})#]/.test(char)) break
      if (')]}'.includes(char)) depth--
      this.#at++
    }
    const expression = this.#text.slice(start, this.#at).trim()
    if (expression === '') this.#fail()
    return expression
  }

  /** Reads a string in quotes. Interpolations, which can contain quotes, stay as they are written. */
  #quoted(): string {
    let value = ''
    for (this.#at++; this.#at < this.#text.length;) {
      const char = this.#text[this.#at]!
      if (char === '"') {
        this.#at++
        return value
      }
      if (char === '\n') this.#fail()
      if (char === '\\') {
        const escaped = this.#text[this.#at + 1] ?? ''
        value += { n: '\n', r: '\r', t: '\t' }[escaped] ?? escaped
        this.#at += 2
      } else if (this.#peek('${') || this.#peek('%{')) {
        const start = this.#at
        this.#at += 2
        for (let depth = 1; depth > 0 && this.#at < this.#text.length;) {
          if (this.#peek('"')) {
            this.#quoted()
            continue
          }
          if (this.#peek('{')) depth++
          if (this.#peek('}')) depth--
          this.#at++
        }
        value += this.#text.slice(start, this.#at)
      } else {
        value += char
        this.#at++
      }
    }
    return this.#fail()
  }

  #heredoc(): string {
    const open = /^<<(-?)([A-Za-z_][\w-]*)[ \t]*\r?\n/.exec(this.#rest(200))
    if (open === null) return this.#fail()
    this.#at += open[0].length
    const end = new RegExp(`^[ \\t]*${open[2]}[ \\t]*$`, 'm').exec(this.#text.slice(this.#at))
    if (end === null) return this.#fail()
    const content = this.#text.slice(this.#at, this.#at + end.index)
    this.#at += end.index + end[0].length
    if (open[1] === '') return content
    const indents = content.split('\n').flatMap((line) => (line.trim() === '' ? [] : [/^[ \t]*/.exec(line)![0].length]))
    const least = indents.length === 0 ? 0 : Math.min(...indents)
    return content.replace(/^[ \t]+/gm, (space) => space.slice(least))
  }

  #word(): string {
    const word = /^[\p{L}_][\p{L}\p{N}_.-]*/u.exec(this.#rest(200))?.[0]
    if (word === undefined) return this.#fail()
    this.#at += word.length
    return word
  }

  /** Skips these characters and comments. */
  #skip(chars: RegExp): void {
    for (;;) {
      const comment = /^(?:#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)/.exec(
        this.#peek('/*') ? this.#text.slice(this.#at) : this.#rest(4_096),
      )
      if (comment !== null) this.#at += comment[0].length
      else if (this.#at < this.#text.length && chars.test(this.#text[this.#at]!)) this.#at++
      else return
    }
  }

  #peek = (text: string): boolean => this.#text.startsWith(text, this.#at)
  #rest = (length: number): string => this.#text.slice(this.#at, this.#at + length)
  #line = (): number => this.#lineOf(this.#at)

  #fail(): never {
    throw new HclError(this.#line())
  }
}
