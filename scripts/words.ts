import { basename } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** A word that is not for names, files and comments here, and the one that takes its place. */
export interface Banned {
  readonly word: string
  readonly say: string
  /** The word's forms as they stand between spaces, in small letters. */
  readonly forms: RegExp
  /** True for a word that only names may not have: in a sentence it means something else. */
  readonly namesOnly?: true
  /** Paths, by their beginning, in which it means something else. */
  readonly fine?: readonly { readonly at: string; readonly why: string }[]
}

/** A name, or a comment, as a text of words in small letters. */
export interface Text {
  readonly kind: 'name' | 'comment' | 'title'
  readonly line: number
  readonly text: string
}

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase()

/** Returns the names, comments and titles of tests in a source; strings of other kinds are the wire's or people's. */
export function textsOf(file: string, source: string): Text[] {
  const { program, comments } = parseSync(file, source)
  const lineOf = (at: number) => source.slice(0, at).split('\n').length
  const texts: Text[] = [{ kind: 'name', line: 1, text: wordsOf(basename(file).replace(/\.\w+$/, '')) }]
  const name = (node: { readonly name: string; readonly start: number }) => {
    texts.push({ kind: 'name', line: lineOf(node.start), text: wordsOf(node.name) })
  }
  new Visitor({
    Identifier: name,
    PrivateIdentifier: name,
    JSXIdentifier: name,
    CallExpression({ callee, arguments: [title] }) {
      if (title?.type !== 'Literal' || typeof title.value !== 'string') return
      if (!/^(describe|test|it)\b/.test(source.slice(callee.start, callee.end))) return
      texts.push({ kind: 'title', line: lineOf(title.start), text: title.value })
    },
  }).visit(program)
  let end = -1
  for (const comment of comments) {
    const text = comment.value.replaceAll(/^[\s*]+/gm, '').trim()
    const last = texts.at(-1)!
    // Lines that begin with // and follow each other are one comment.
    const goesOn = comment.type === 'Line' && /^\n?[ \t]*$/.test(source.slice(end, comment.start)) && end >= 0
    if (goesOn) texts[texts.length - 1] = { ...last, text: `${last.text} ${text}` }
    else texts.push({ kind: 'comment', line: lineOf(comment.start), text })
    end = comment.type === 'Line' ? comment.end : -1
  }
  return texts
}

/** Returns a sentence for each banned word in the texts of a file. */
export function bannedIn(file: string, texts: readonly Text[], banned: readonly Banned[]): string[] {
  return banned.flatMap(({ word, say, forms, namesOnly, fine }) => {
    if (fine?.some(({ at }) => file.startsWith(at))) return []
    const found = texts.filter(({ kind, text }) => !(namesOnly && kind !== 'name') && forms.test(text.toLowerCase()))
    const lines = [...new Set(found.map(({ line }) => line))]
    return lines.map((line) => `${file}:${line} says ${word}: say ${say}`)
  })
}

/** Returns the comments, or titles, that begin with a question's word in place of a subject. */
export const questionsIn = (kind: 'comment' | 'title', texts: readonly Text[]): Text[] =>
  texts.filter((text) => text.kind === kind && /^(what|who|whose|whether)\b/i.test(text.text))
