import { posix } from 'node:path'
import { Draft, type DraftScript, type DraftStep, type SourceFiles, textOf, type Unmapped } from './draft.ts'
import { type HclBlock, HclError, type HclValue, parseHcl } from './hcl.ts'
import { detailsIn, fenced, partsOf, plainDetails } from './markdown.ts'
import { UnreadableGuide, errorAt } from '../format/finding.ts'

interface Resource extends HclBlock {
  readonly file: string
}

const UNMAPPED: readonly (readonly [Unmapped, advice: string, kinds: string])[] = [
  ['image', 'Choose a template with the programs of this image.', 'container vm sidecar'],
  ['image', 'Choose a template that contains a cluster.', 'kubernetes_cluster nomad_cluster'],
  ['tab', 'The tab is not a terminal.', 'service editor external_website note'],
  ['virtual-browser', 'A virtual browser is not supported.', 'virtual_browser'],
  ['sandbox', 'Put its script into the setup of the guide or into the image.', 'exec'],
  ['sandbox', 'A guide does not create resources of a cloud.', 'terraform'],
  ['sandbox', 'Put the file into the guide or into the image.', 'template copy'],
  ['sandbox', 'Put the program into the image.', 'helm'],
  ['cloud-account', 'Use a cloud sandbox.', 'google_project aws_account azure_subscription'],
]
const KINDS = new Map(
  UNMAPPED.flatMap(([unmapped, advice, kinds]) =>
    kinds.split(' ').map((kind) => [kind, { unmapped, advice }] as const),
  ),
)
/** Resources that need no line in the report. */
const MAPPED =
  /^(?:lab|page|layout|terminal|task|quiz|network|(?:single_choice|multiple_choice|text_answer|numeric_answer)_question)$/

/** Imports a lab of Instruqt. @param folder of its HCL files, with a slash at its end, or empty */
export function importLab(files: SourceFiles, folder: string): Draft {
  const draft = new Draft(files)
  const blocks = readBlocks(files, folder)
  const resources = blocks.filter(({ type }) => type === 'resource')
  const found: Find = (value) => {
    const [, type, name] = /^resource\.([\w-]+)\.([\w-]+)/.exec(expressionOf(value)) ?? []
    return resources.find(({ labels }) => labels[0] === type && labels[1] === name)
  }
  const lab = resources.find(({ labels }) => labels[0] === 'lab')
  if (lab === undefined) throw new UnreadableGuide([errorAt(folder, '', 'The HCL files contain no lab.')])
  draft.title = stringOf(lab, 'title')
  draft.summary = stringOf(lab, 'description')
  const limit = lab.blocks.find(({ type }) => type === 'settings')?.blocks.find(({ type }) => type === 'timelimit')
  draft.minutes = minutesOf(limit === undefined ? '' : stringOf(limit, 'duration')) ?? 30

  for (const { type, labels, file, line } of blocks) {
    if (type === 'module') draft.unmapped('module', file, line, `The module ${labels[0] ?? ''} is not followed.`)
    if (type !== 'resource') continue
    const [kind = '', name = ''] = labels
    const known = KINDS.get(kind)
    if (known !== undefined) draft.unmapped(known.unmapped, file, line, `${kind} ${name}: ${known.advice}`)
    else if (!MAPPED.test(kind)) draft.note(file, `The resource ${kind} ${name} is unknown and left out.`)
  }
  draft.machines = resources.flatMap(({ labels }) =>
    ['container', 'vm'].includes(labels[0]!) && labels[1] !== undefined ? [labels[1]] : [],
  )

  const placed = new Set<Resource>()
  const importer = new PageImporter(draft, folder, found)
  const content = lab.blocks.find(({ type }) => type === 'content')
  for (const page of pagesIn(content)) {
    draft.counts.steps++
    const resource = found(page.values.get('reference'))
    draft.steps.push(importer.stepOf(page, resource, lab.file, placed))
  }
  for (const { labels, blocks: conditions, file, line } of resources.filter(
    (each) => each.labels[0] === 'task' && !placed.has(each),
  ))
    for (const _check of conditions.flatMap((condition) => condition.blocks).filter(({ type }) => type === 'check'))
      draft.unmapped('unreferenced-check', file, line, `No page has the task ${labels[1] ?? ''}.`)
  return draft
}

function readBlocks(files: SourceFiles, folder: string): Resource[] {
  const own = [...files.keys()].filter(
    (path) => path.startsWith(folder) && /^[^/]+\.hcl$/.test(path.slice(folder.length)),
  )
  return own.toSorted().flatMap((file) => {
    try {
      return parseHcl(textOf(files, file)).map((block) => ({ ...block, file }))
    } catch (error) {
      if (error instanceof HclError)
        throw new UnreadableGuide([errorAt(file, error.line, 'The line is not understood.')])
      throw error
    }
  })
}

const pagesIn = (block: HclBlock | undefined): HclBlock[] =>
  (block?.blocks ?? []).flatMap((each) => (each.type === 'page' ? [each] : pagesIn(each)))

/** Returns the resource to which an expression refers. */
type Find = (value: HclValue | undefined) => Resource | undefined

class PageImporter {
  readonly #draft: Draft
  readonly #folder: string
  readonly #found: Find

  constructor(draft: Draft, folder: string, found: Find) {
    this.#draft = draft
    this.#folder = folder
    this.#found = found
  }

  stepOf(page: HclBlock, resource: Resource | undefined, labFile: string, placed: Set<Resource>): DraftStep {
    const title = stringOf(page, 'title') || page.labels[0] || 'Untitled'
    if (resource === undefined) {
      this.#draft.note(labFile, `The page ${page.labels[0] ?? ''} is not in these files.`)
      return { title, text: '' }
    }
    const activities = [...fieldsOf(resource, 'activities').values()].flatMap((value) => this.#found(value) ?? [])
    for (const each of activities) placed.add(each)
    const of = (kind: string) => activities.filter(({ labels }) => labels[0] === kind)
    const parts = of('task').map((each) => this.#taskOf(each))
    return {
      title,
      text: this.#textOf(resource),
      setup: parts.flatMap(({ setup }) => setup),
      tasks: parts.flatMap(({ task }) => task ?? []),
      questions: of('quiz').flatMap((quiz) => this.#questionsOf(quiz)),
    }
  }

  #textOf(page: Resource): string {
    const path = this.#pathOf(stringOf(page, 'file'))
    const text = this.#draft.text(path, page.file) ?? ''
    if (page.values.has('variables'))
      this.#draft.unmappedIn('variable', path, text, VARIABLE, '{} is a value of the foreign portal.')
    return convertText(this.#draft, path, text)
  }

  #taskOf(task: Resource): {
    readonly setup: readonly DraftScript[]
    readonly task: NonNullable<DraftStep['tasks']>[number] | null
  } {
    const { counts } = this.#draft
    const title = stringOf(task, 'description') || task.labels[1] || 'Untitled'
    const conditions = task.blocks.filter(({ type }) => type === 'condition')
    const scripts = (of: HclBlock, type: string) =>
      of.blocks.filter((each) => each.type === type).flatMap((each) => this.#script(task, of, each) ?? [])
    const setup = conditions.flatMap((condition) => scripts(condition, 'setup'))
    const solve = conditions.flatMap((condition) => scripts(condition, 'solve'))
    const checks = conditions.flatMap((condition) => {
      const name = stringOf(condition, 'description') || condition.labels[0] || title
      const blocks = condition.blocks.filter(({ type }) => type === 'check')
      return blocks.flatMap((block) => {
        const script = this.#script(task, condition, block)
        const message = stringOf(block, 'failure_message')
        return script === null ? [] : [{ ...script, title: name, ...(message === '' ? {} : { message }) }]
      })
    })
    for (const _cleanup of conditions.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'cleanup'))
      this.#draft.unmapped(
        'cleanup',
        task.file,
        task.line,
        'A machine is reset or deleted; nothing is cleaned up on it.',
      )
    counts.setup += setup.length
    counts.checks += checks.length
    counts.solveScripts += solve.length
    if (checks.length > 0) counts.tasks++
    if (solve.length > 0) counts.solvedTasks++
    return { setup, task: checks.length === 0 ? null : { title, checks, solve } }
  }

  /** Returns the script of a block; null for one that cannot run on a machine. */
  #script(task: Resource, condition: HclBlock, block: HclBlock): DraftScript | null {
    const path = stringOf(block, 'script')
    if (path.endsWith('.js')) {
      this.#draft.unmapped('browser-check', task.file, block.line, `${path} runs in a browser.`)
      return null
    }
    const setting = (key: string) =>
      [block, condition, task]
        .flatMap((each) => each.blocks.filter(({ type }) => type === 'config'))
        .find((each) => each.values.has(key))
        ?.values.get(key)
    const target = this.#found(setting('target'))?.labels[1]
    const user = setting('user')
    const more = {
      ...(target !== undefined && this.#draft.machines.includes(target) ? { machine: target } : {}),
      ...(user === undefined || user === 'root' ? {} : { as: 'learner' as const }),
    }
    // The HCL file can contain the script.
    if (path.includes('\n'))
      return { ...more, file: `${condition.labels[0] ?? 'script'}-${block.type}.sh`, content: path }
    return this.#draft.script(this.#pathOf(path), task.file, more)
  }

  #questionsOf(quiz: Resource): NonNullable<DraftStep['questions']> {
    const listed = quiz.values.get('questions')
    const questions = Array.isArray(listed)
      ? (listed as readonly HclValue[]).flatMap((each) => this.#found(each) ?? [])
      : []
    return questions.flatMap((question) => {
      this.#draft.counts.questions++
      if (question.values.has('hints'))
        this.#draft.note(question.file, `The hints of the question ${question.labels[1] ?? ''} are left out.`)
      return this.#questionOf(question) ?? []
    })
  }

  #questionOf(question: Resource): NonNullable<DraftStep['questions']>[number] | null {
    const text = stringOf(question, 'question').replace(/\s+/g, ' ').trim().slice(0, 500) || 'Which answer is right?'
    const answer = question.values.get('answer')
    switch (question.labels[0] ?? '') {
      case 'numeric_answer_question':
        if (typeof answer === 'number') return { kind: 'number', text, answer }
        break
      case 'text_answer_question':
        if (typeof answer === 'string' && answer !== '') return { kind: 'text', text, answer: [answer.slice(0, 200)] }
        break
      case 'single_choice_question': {
        const wrong = stringsOf(question, 'distractors')
        if (typeof answer === 'string' && wrong.length > 0) {
          const { choices: all, answer: numbers } = choices([answer], wrong)
          return { kind: 'one', text, choices: all, answer: numbers[0]! }
        }
        break
      }
      case 'multiple_choice_question': {
        const right = stringsOf(question, 'answer').concat(stringsOf(question, 'answers'))
        const wrong = stringsOf(question, 'distractors')
        if (right.length > 0 && right.length + wrong.length > 1) return { kind: 'many', text, ...choices(right, wrong) }
      }
    }
    this.#draft.note(question.file, `The question ${question.labels[1] ?? ''} is not understood and left out.`)
    return null
  }

  #pathOf = (path: string): string => posix.normalize(`${this.#folder}${path}`)
}

/** Returns the choices in the order of the alphabet, so that the place of the right ones tells nothing. */
function choices(right: readonly string[], wrong: readonly string[]) {
  const all = [...right, ...wrong]
    .slice(0, 10)
    .map((each) => each.slice(0, 200) || '-')
    .toSorted()
  const numbers = right.map((each) => all.indexOf(each.slice(0, 200))).filter((at) => at >= 0)
  return { choices: all, answer: numbers.toSorted((one, other) => one - other) }
}

function convertText(draft: Draft, file: string, text: string): string {
  return partsOf(text)
    .map((part) => {
      if (part.kind === 'fence') return fenced(part)
      draft.counts.hints += detailsIn(part.text)
      draft.unmappedIn('component', file, part.text, COMPONENT, '{} is not supported.', part.line)
      return plainDetails(convertCode(draft, part.text)).replace(/<\/?instruqt-[a-z-]{1,40}\b[^>]{0,500}>/g, '')
    })
    .join('\n')
}

const VARIABLE = /\{\{[ \t]{0,9}[\w.]{1,99}[ \t]{0,9}\}\}/g
const COMPONENT = /<instruqt-(?!(?:task|quiz|code)[\s>])[a-z-]+/g
const CODE_END = '</instruqt-code>'

function convertCode(draft: Draft, text: string): string {
  // Elements that nothing closes are not searched for their end.
  const end = text.lastIndexOf(CODE_END) + CODE_END.length
  const closed = end < CODE_END.length ? '' : text.slice(0, end)
  const convert = (_whole: string, attributes: string | undefined, body: string) => {
    const isRun = /\brun="true"/.test(attributes ?? '')
    if (isRun) draft.counts.run++
    const language = /\blanguage="([\w-]+)"/.exec(attributes ?? '')?.[1] ?? (isRun ? 'sh' : '')
    return fenced({ indent: '', info: isRun ? `${language} run` : language, body: body.replace(/^\n/, '').trimEnd() })
  }
  return closed.replace(/<instruqt-code(\s[^>]{0,500})?>([^]*?)<\/instruqt-code>/g, convert) + text.slice(closed.length)
}

const stringOf = (block: HclBlock, key: string): string => {
  const value = block.values.get(key)
  return typeof value === 'string' ? value : ''
}

const stringsOf = (block: HclBlock, key: string): string[] => {
  const value = block.values.get(key)
  return Array.isArray(value) ? (value as readonly HclValue[]).filter((each) => typeof each === 'string') : []
}

const expressionOf = (value: HclValue | undefined): string =>
  typeof value === 'object' && value !== null && 'expression' in value ? value.expression : ''

function fieldsOf(block: HclBlock, key: string): ReadonlyMap<string, HclValue> {
  const value = block.values.get(key)
  return typeof value === 'object' && value !== null && 'fields' in value ? value.fields : new Map<string, HclValue>()
}

function minutesOf(duration: string): number | null {
  const [, hours, minutes] = /^(?:(\d+)h)?(?:(\d+)m)?/.exec(duration) ?? []
  return hours === undefined && minutes === undefined ? null : Number(hours ?? 0) * 60 + Number(minutes ?? 0)
}
