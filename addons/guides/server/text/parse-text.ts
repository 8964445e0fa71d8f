import MarkdownIt from 'markdown-it'
import type { GuideNode } from '../../contract/guide-text.ts'
import { errorAt, type Finding, warningAt } from '../format/finding.ts'
import type { Guide, GuideStep } from '../format/schema.ts'
import type { GuideFiles } from '../format/zip.ts'
import { hasHidden, showHidden } from './hidden.ts'
import { pictureTypeOf } from './picture.ts'

type Mutable = { -readonly [K in keyof GuideNode]: GuideNode[K] } & { children?: Mutable[] }

/** Markdown in each other beyond this depth stays text. */
const MAX_NESTING = 40

const markdown = new MarkdownIt('default', { html: true, linkify: false, maxNesting: MAX_NESTING })
// Links are checked here, so that a refused one is a finding.
markdown.validateLink = () => true
type Token = ReturnType<typeof markdown.parse>[number]

export interface TextPlace {
  readonly file: string
  readonly guide: Pick<Guide, 'variables'>
  readonly step: Pick<GuideStep, 'tasks' | 'questions'>
  /** Files of the guide, which can be pictures of the text. Left out for texts without pictures. */
  readonly files?: GuideFiles
}

/**
 * Returns the text as a tree of allowed parts. Everything else becomes plain text and a finding. Tasks and questions of
 * the step that the text does not place follow at its end.
 */
export function parseText(text: string, place: TextPlace): { nodes: GuideNode[]; findings: Finding[] } {
  const parser = new TextParser(place)
  const nodes = parser.parse(text)
  return { nodes, findings: parser.findings }
}

const BLOCKS: Readonly<Record<string, GuideNode['tag']>> = {
  paragraph: 'paragraph',
  heading: 'heading',
  bullet_list: 'list',
  ordered_list: 'list',
  list_item: 'item',
  blockquote: 'quote',
  table: 'table',
  tr: 'row',
  th: 'cell',
  td: 'cell',
}
const INLINE: Readonly<Record<string, GuideNode['tag']>> = { strong: 'strong', em: 'emphasis', s: 'deleted' }
const ACTIONS = new Set(['run', 'copy', 'interrupt'])
const INLINE_HTML = new Set(['kbd', 'sub', 'sup'])
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:\n|$)/
const PLACED = /^::(task|question)\{([a-z0-9-]*)\}$/

interface Hinted {
  readonly hints?: readonly { readonly text: string }[] | undefined
}

/** Returns what learners see otherwise in the hints of a guide or of its translation. */
export const wrongHints = (
  guide: Guide,
  { steps }: { readonly steps: readonly { readonly tasks?: readonly Hinted[] | undefined }[] },
  file: string,
): Finding[] =>
  steps.flatMap(({ tasks = [] }, step) =>
    tasks.flatMap(({ hints = [] }, task) =>
      hints.flatMap(({ text }, hint) =>
        parseText(text, { file, guide, step: {} }).findings.map(({ sentence }) =>
          warningAt(file, `steps.${step}.tasks.${task}.hints.${hint}.text`, sentence),
        ),
      ),
    ),
  )

class TextParser {
  readonly findings: Finding[] = []
  readonly #place: TextPlace
  readonly #placed = new Set<string>()
  #line = 1

  constructor(place: TextPlace) {
    this.#place = place
  }

  parse(text: string): GuideNode[] {
    const root: Mutable[] = []
    this.#blocks(markdown.parse(text, {}), root)
    const { tasks = [], questions = [] } = this.#place.step
    for (const [tag, all] of [['task', tasks] as const, ['question', questions] as const])
      for (const { id } of all)
        if (!this.#placed.has(`${tag} ${id}`)) {
          this.#warn(
            text.includes(`::${tag}{${id}}`)
              ? `::${tag}{${id}} is no paragraph of its own: put empty lines around it. It is shown at the end.`
              : `The text does not place ::${tag}{${id}}. It is shown at the end.`,
          )
          root.push({ tag, id })
        }
    return root
  }

  #warn(sentence: string): void {
    this.findings.push(warningAt(this.#place.file, this.#line, sentence))
  }

  #blocks(tokens: readonly Token[], root: Mutable[]): void {
    /** Open containers. A closing tag of details closes only those that were opened inside the same block. */
    const stack: { readonly type: string; readonly into: Mutable[] }[] = [{ type: 'root', into: root }]
    const into = () => stack.at(-1)!.into
    const open = (type: string, node: Mutable) => {
      into().push(node)
      stack.push({ type, into: (node.children ??= []) })
    }
    const closeDetails = () => {
      while (stack.at(-1)!.type === 'details') {
        this.#warn('The element details is not closed.')
        stack.pop()
      }
    }
    for (const token of tokens) {
      if (token.map) this.#line = token.map[0] + 1
      const name = token.type.replace(/_(?:open|close)$/, '')
      if (token.type === 'inline') this.#inlineBlock(token, stack)
      else if (token.type === 'fence' || token.type === 'code_block') into().push(this.#fence(token))
      else if (token.type === 'hr') into().push({ tag: 'rule' })
      else if (token.type === 'html_block') this.#html(token.content, stack)
      else if (name in BLOCKS && token.nesting === 1) open(name, this.#container(token, name))
      else if (name in BLOCKS && token.nesting === -1) {
        closeDetails()
        stack.pop()
      }
    }
    closeDetails()
  }

  #container(token: Token, name: string): Mutable {
    const node: Mutable = { tag: BLOCKS[name]!, children: [] }
    if (name === 'heading') node.level = Number(token.tag.slice(1))
    if (name === 'ordered_list') node.start = Number(token.attrGet('start') ?? 1)
    if (name === 'th') node.level = 1
    return node
  }

  #inlineBlock(token: Token, stack: { readonly type: string; readonly into: Mutable[] }[]): void {
    const { into } = stack.at(-1)!
    const placed = PLACED.exec(token.content)
    if (placed !== null) {
      const [, tag, id] = placed as unknown as [string, 'task' | 'question', string]
      // The block replaces its paragraph.
      const isParagraph = stack.at(-1)!.type === 'paragraph'
      if (isParagraph) stack.at(-2)!.into.pop()
      this.#placeHere(tag, id, isParagraph ? stack.at(-2)!.into : into)
      return
    }
    // The kind of an alert is the first line of a quote.
    const quote = stack.at(-2)
    const alert = ALERT.exec(token.content)
    const node = stack.at(-3)?.into.at(-1)
    if (alert !== null && quote?.type === 'blockquote' && node?.tag === 'quote' && quote.into.length === 1) {
      node.alert = alert[1]!.toLowerCase() as NonNullable<GuideNode['alert']>
      this.#inline(markdown.parseInline(token.content.slice(alert[0].length), {})[0]?.children ?? [], into)
      return
    }
    this.#inline(token.children ?? [], into)
  }

  #placeHere(tag: 'task' | 'question', id: string, into: Mutable[]): void {
    const { tasks = [], questions = [] } = this.#place.step
    const isKnown = (tag === 'task' ? tasks : questions).some((each) => each.id === id)
    const key = `${tag} ${id}`
    if (!isKnown)
      this.findings.push(errorAt(this.#place.file, this.#line, `The step has no ${tag} ${id || 'without a name'}.`))
    else if (this.#placed.has(key)) this.#warn(`The text places ::${tag}{${id}} twice. It is shown once.`)
    else into.push({ tag, id })
    this.#placed.add(key)
  }

  #fence(token: Token): Mutable {
    const words = token.info.trim().split(/\s+/).filter(Boolean)
    const actions = words.filter((word) => ACTIONS.has(word))
    // The first word is the language, unless it says what a click does.
    const unknown = words.slice(ACTIONS.has(words[0] ?? '') ? 0 : 1).filter((word) => !ACTIONS.has(word))
    if (unknown.some((word) => !word.startsWith('machine=')))
      this.#warn(`The words ${unknown.join(' ')} of the fence are unknown.`)
    return this.#code('fence', token.content.replace(/\n$/, ''), actions)
  }

  /** Returns code. Code with hidden characters shows them, and nothing can be done with it. */
  #code(tag: 'fence' | 'code', text: string, words: readonly string[]): Mutable {
    this.#requireVariables(text)
    const node: Mutable = { tag, text: showHidden(text, 'code') }
    const action = words.includes('run') ? 'run' : words.includes('copy') ? 'copy' : null
    // A tab completes words in a terminal.
    if (hasHidden(text, 'code') || (action === 'run' && text.includes('\t'))) {
      this.#warn(
        'The code contains hidden characters. They are shown, and the code cannot be run or copied by a click.',
      )
      return node
    }
    if (action !== null) node.action = action
    const wrong = action === 'run' && NOT_RUN.find(([pattern]) => pattern.test(text))
    if (wrong) this.#warn(wrong[1])
    if (words.includes('interrupt')) node.interrupt = true
    return node
  }

  /** Details and summary; everything between them is inline text. */
  #html(content: string, stack: { readonly type: string; readonly into: Mutable[] }[]): void {
    let summary: Mutable | null = null
    for (const part of content.split(/(<\/?(?:details|summary)>)/)) {
      const target = summary?.children ?? stack.at(-1)!.into
      if (part === '<details>') {
        const node: Mutable = { tag: 'details', children: [] }
        target.push(node)
        stack.push({ type: 'details', into: node.children! })
      } else if (part === '</details>' && stack.at(-1)!.type === 'details') {
        stack.pop()
        summary = null
      } else if (part === '<summary>' && summary === null && stack.at(-1)!.type === 'details') {
        summary = { tag: 'summary', children: [] }
        target.push(summary)
      } else if (part === '</summary>' && summary !== null) {
        summary = null
      } else if (part.trim() !== '') {
        const inline: Mutable[] = []
        this.#inline(markdown.parseInline(part.trim(), {})[0]?.children ?? [], inline)
        if (summary === null) target.push({ tag: 'paragraph', children: inline })
        else target.push(...inline)
      }
    }
  }

  #inline(tokens: readonly Token[], root: Mutable[]): void {
    const stack: { readonly name: string; readonly into: Mutable[] }[] = [{ name: 'root', into: root }]
    const into = () => stack.at(-1)!.into
    const addText = (text: string) => {
      this.#requireVariables(text)
      if (hasHidden(text, 'text')) this.#warn('The text contains hidden characters. They are shown.')
      const shown = showHidden(text, 'text')
      const last = into().at(-1)
      if (last?.tag === 'text') last.text += shown
      else if (shown !== '') into().push({ tag: 'text', text: shown })
    }
    const open = (name: string, node: Mutable) => {
      into().push(node)
      stack.push({ name, into: (node.children ??= []) })
    }
    const close = (name: string) => {
      if (stack.at(-1)!.name === name) stack.pop()
    }
    for (const [index, token] of tokens.entries()) {
      const name = token.type.replace(/_(?:open|close)$/, '')
      if (token.type === 'text') {
        addText(isAfterCode(tokens, index) ? token.content.replace(SPAN_ACTION, '') : token.content)
      } else if (token.type === 'softbreak') {
        addText(' ')
      } else if (token.type === 'hardbreak') {
        into().push({ tag: 'break' })
      } else if (token.type === 'code_inline') {
        const action = SPAN_ACTION.exec(tokens[index + 1]?.type === 'text' ? tokens[index + 1]!.content : '')
        into().push(this.#code('code', token.content, action?.[1]?.split(' ') ?? []))
      } else if (name in INLINE) {
        if (token.nesting === 1) open(name, { tag: INLINE[name]! })
        else close(name)
      } else if (name === 'link') {
        if (token.nesting === -1) close('link')
        else this.#link(String(token.attrGet('href')), open, () => stack.push({ name: 'link', into: into() }))
      } else if (token.type === 'image') {
        const picture = this.#picture(token)
        if (picture === null) addText(token.content)
        else into().push(picture)
      } else if (token.type === 'html_inline') {
        const tag = /^<(\/?)([a-z]+)( ?\/)?>$/.exec(token.content)
        if (tag?.[2] === 'br' && tag[1] === '') into().push({ tag: 'break' })
        else if (tag && INLINE_HTML.has(tag[2]!) && tag[1] === '' && tag[3] === undefined)
          open(tag[2]!, { tag: tag[2] as GuideNode['tag'] })
        else if (tag && INLINE_HTML.has(tag[2]!) && tag[1] === '/' && stack.at(-1)!.name === tag[2]) stack.pop()
        else {
          this.#warn(`${token.content.slice(0, 40)} is not allowed and is shown as text.`)
          addText(token.content)
        }
      } else {
        addText(token.content)
      }
    }
  }

  /** Opens a link; only its text if the address is not allowed. */
  #link(href: string, open: (name: string, node: Mutable) => void, openText: () => void): void {
    if (isAllowedLink(href)) return open('link', { tag: 'link', href })
    this.#warn(`The link to ${href.slice(0, 80)} is not allowed. Only https and mailto are.`)
    openText()
  }

  /** Returns a picture of the guide; null for anything else, whose text is shown instead. */
  #picture(token: Token): Mutable | null {
    const { file, files } = this.#place
    const source = String(token.attrGet('src'))
    const refuse = (sentence: string) => {
      this.#warn(`${sentence} The text for it is shown.`)
      return null
    }
    if (files === undefined) return refuse('Pictures are possible only in the texts of steps.')
    const path = pathsFrom(file, source).find((each) => files.has(each))
    if (path === undefined) return refuse(`The guide has no picture ${source.slice(0, 80)}.`)
    if (pictureTypeOf(files.get(path)!) === null) return refuse(`${path} is no picture in PNG, JPEG, GIF or WebP.`)
    // The editor and the library know the type of a picture by its name.
    if (!PICTURE_ENDING.test(path)) return refuse(`The picture ${path} needs an ending such as .png.`)
    if (token.content.trim() === '')
      this.#warn(`The picture ${path} needs a text for learners who cannot see it: ![text](path).`)
    return { tag: 'image', href: path, text: showHidden(token.content, 'text') }
  }

  #requireVariables(text: string): void {
    const { variables = [] } = this.#place.guide
    for (const [, name] of text.matchAll(VARIABLE))
      if (!variables.some((each) => each.name === name)) this.#warn(`There is no variable ${name}.`)
  }
}

/** Texts that a click types into the terminal, and that do nothing there. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'The code to run is empty.'],
  [/^[ \t]*\$\s/m, 'The prompt $ is typed with the command. Leave it out.'],
  [/\\\s*$/, 'The code to run ends within a command, so that the terminal waits for the rest.'],
]

const PICTURE_ENDING = /\.(?:png|jpe?g|gif|webp)$/i

/** Effect of a click on a code span: `ls`{run}. */
const SPAN_ACTION = /^\{((?:run|copy)(?: interrupt| machine=[a-z0-9-]+)*)\}/

const isAfterCode = (tokens: readonly Token[], index: number) => tokens[index - 1]?.type === 'code_inline'

const VARIABLE = /\{\{([a-z][a-z0-9_]{0,39})\}\}/g

function isAllowedLink(href: string): boolean {
  try {
    const { protocol, username, password } = new URL(href)
    return (protocol === 'https:' || protocol === 'mailto:') && username === '' && password === ''
  } catch {
    return false
  }
}

/** Returns the paths that a relative address can mean. A translated text can use the pictures of its original. */
function pathsFrom(file: string, source: string): string[] {
  const base = 'guide://files/'
  return [file, file.replace(TRANSLATED, '')].flatMap((from) => {
    const url = URL.parse(source, new URL(from, base))
    return url?.href.startsWith(base) ? [decoded(url.pathname.slice(1))] : []
  })
}

const TRANSLATED = /^i18n\/[^/]+\//

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns the nodes with the values of variables, which are text whatever they contain. */
export const fillVariables = (nodes: readonly GuideNode[], values: Readonly<Record<string, string>>): GuideNode[] =>
  nodes.map((node) => ({
    ...node,
    ...(node.text === undefined
      ? {}
      : { text: node.text.replace(VARIABLE, (whole, name: string) => values[name] ?? whole) }),
    ...(node.children === undefined ? {} : { children: fillVariables(node.children, values) }),
  }))
