import { createHash } from 'node:crypto'
import { parse, stringify } from 'yaml'
import { linesOf } from './markdown.ts'
import { errorAt, UnreadableGuide } from '../format/finding.ts'
import { CLICK_SECONDS, GUIDE_LIMITS, type GuideQuestion } from '../format/schema.ts'
import type { GuideFiles } from '../format/zip.ts'

/** Parts of a foreign guide that our format does not have. */
export type Unmapped =
  | 'image'
  | 'foreground'
  | 'finish-script'
  | 'cleanup'
  | 'tab'
  | 'editor-action'
  | 'dashboard-action'
  | 'files-action'
  | 'terminal-action'
  | 'variable'
  | 'external-check'
  | 'input-form'
  | 'browser-check'
  | 'component'
  | 'module'
  | 'sandbox'
  | 'secret'
  | 'virtual-browser'
  | 'cloud-account'
  | 'missing-file'
  | 'unreferenced-check'
  | 'unreferenced-page'

/** A line of the report. */
export interface ImportNote {
  readonly file: string
  /** Null for the whole file. */
  readonly line: number | null
  /** `note`: it was mapped, and the author should know how. */
  readonly kind: Unmapped | 'note'
  readonly sentence: string
}

/** Numbers of parts of a foreign guide, and of mapped parts. */
const NO_COUNTS = {
  steps: 0,
  intro: 0,
  finish: 0,
  tasks: 0,
  checks: 0,
  solvedTasks: 0,
  solveScripts: 0,
  setup: 0,
  run: 0,
  copy: 0,
  hints: 0,
  questions: 0,
}
export type ImportCounts = typeof NO_COUNTS

export interface DraftScript {
  readonly file: string
  readonly content: string
  readonly machine?: string
  readonly args?: readonly string[]
  readonly as?: 'learner'
}

interface DraftTask {
  readonly title: string
  readonly checks: readonly (DraftScript & { readonly title: string; readonly message?: string })[]
  readonly solve: readonly DraftScript[]
}

export interface DraftStep {
  readonly title: string
  readonly text: string
  readonly setup?: readonly DraftScript[]
  readonly tasks?: readonly DraftTask[]
  readonly questions?: readonly Omit<GuideQuestion, 'id' | 'points'>[]
}

/** Collects the parts of a guide that is imported. */
export class Draft {
  readonly counts: ImportCounts = { ...NO_COUNTS }
  readonly notes: ImportNote[] = []
  readonly steps: DraftStep[] = []
  readonly setup: DraftScript[] = []
  readonly assets: { readonly from: string; readonly to: string; readonly content: Buffer; readonly mode?: string }[] =
    []
  title = ''
  summary = ''
  minutes = 30
  machines: readonly string[] = []
  readonly #files: SourceFiles
  readonly #texts = new Map<string, string>()
  #reads = 0
  #bytes = 0

  constructor(files: SourceFiles) {
    this.#files = files
  }

  add(note: ImportNote): void {
    if (this.notes.length < NOTES_MAX) this.notes.push(note)
  }

  unmapped(kind: Unmapped, file: string, line: number | null, sentence: string): void {
    this.add({ kind, file, line, sentence })
  }

  /** Reports every place in a text that matches. @param first number of the text's first line */
  unmappedIn(kind: Unmapped, file: string, text: string, pattern: RegExp, sentence: string, first = 1): void {
    const lineOf = linesOf(text, first)
    for (const { 0: found, index } of text.matchAll(pattern))
      this.unmapped(
        kind,
        file,
        lineOf(index),
        sentence.replace('{}', () => found),
      )
  }

  note(file: string, sentence: string): void {
    this.add({ kind: 'note', file, line: null, sentence })
  }

  /** Returns the text of a file; null, with a note, if it is absent. @param named file that names it */
  text(path: string, named: string): string | null {
    if (this.#files.has(path)) return this.#textOf(path)
    this.unmapped('missing-file', named, null, `There is no file ${path}.`)
    return null
  }

  /** Limits how often small files name a large one. @throws UnreadableGuide */
  #textOf(path: string): string {
    const text = this.#texts.get(path) ?? textOf(this.#files, path)
    this.#texts.set(path, text)
    this.#reads += 1
    this.#bytes += text.length
    if (this.#reads > READS_MAX || this.#bytes > GUIDE_LIMITS.bytes)
      throw new UnreadableGuide([errorAt(path, '', 'The guide names too many files.')])
    return text
  }

  script(path: string, named: string, more: Omit<DraftScript, 'file' | 'content'> = {}): DraftScript | null {
    const content = this.text(path, named)
    return content === null ? null : { ...more, file: path, content }
  }

  /** Returns the files of the guide in our own format. */
  build(): GuideFiles {
    if (this.steps.length > STEPS_MAX)
      throw new UnreadableGuide([errorAt('', '', `The guide has more than ${STEPS_MAX} steps.`)])
    const files = new Map<string, Buffer>()
    const stepIds = uniqueIds()
    const taskIds = uniqueIds()
    const questionIds = uniqueIds()
    const script = (folder: string, { file, content, machine, args, as }: DraftScript, seconds: number) => {
      const path = pathIn(files, folder, file, '.sh')
      files.set(path, Buffer.from(runnable(content)))
      if (content.length > GUIDE_LIMITS.script) this.note(file, 'The script is larger than 64 kB.')
      return {
        run: path,
        ...(args === undefined || args.length === 0 ? {} : { args: args.slice(0, 10) }),
        ...(machine === undefined ? {} : { machine: slugOf(machine) }),
        ...(as === undefined ? {} : { as }),
        timeout: seconds,
      }
    }
    const steps = this.steps.map((step, index) => {
      const path = pathIn(files, 'steps', `${String(index + 1).padStart(2, '0')}-${slugOf(step.title)}.md`, '.md')
      const tasks = (step.tasks ?? []).map((task) => {
        const checkIds = uniqueIds()
        return {
          id: taskIds(task.title),
          title: cut(task.title, 120),
          checks: task.checks.map((check) => ({
            id: checkIds(check.title),
            ...script('checks', check, Math.min(60, share(task.checks))),
            title: cut(check.title, 120),
            ...(check.message === undefined ? {} : { message: cut(check.message, 300) }),
            // Foreign checks are red with any status but 0.
            exit: 'loose',
          })),
          ...(task.solve.length > 0 && { solve: task.solve.map((each) => script('solves', each, share(task.solve))) }),
        }
      })
      const questions = (step.questions ?? []).map((question) => ({ id: questionIds(question.text), ...question }))
      const placed = [...tasks.map(({ id }) => `::task{${id}}`), ...questions.map(({ id }) => `::question{${id}}`)]
      files.set(path, Buffer.from(`${[step.text.trimEnd(), ...placed].join('\n\n')}\n`))
      return {
        id: stepIds(step.title),
        title: cut(step.title, 100),
        text: path,
        ...(step.setup === undefined || step.setup.length === 0
          ? {}
          : { setup: step.setup.map((each) => script('setups', each, share(step.setup!) / 2)) }),
        ...(tasks.length === 0 ? {} : { tasks }),
        ...(questions.length === 0 ? {} : { questions }),
      }
    })
    const assets = this.assets.map(({ from, to, content, mode }) => {
      const path = pathIn(files, 'files', from, '')
      files.set(path, content)
      return { from: path, to, ...(mode === undefined ? {} : { mode }) }
    })
    const guide = {
      format: 1,
      id: idOf(this.title),
      title: cut(this.title, 100),
      summary: cut(this.summary === '' ? this.title : this.summary, 300),
      language: 'en',
      minutes: Math.min(600, Math.max(1, Math.round(this.minutes))),
      machines: (this.machines.length === 0 ? ['host01'] : this.machines.slice(0, 8)).map((name) => ({
        name: slugOf(name),
        os: 'linux',
      })),
      ...(assets.length === 0 ? {} : { files: assets }),
      ...(this.setup.length === 0
        ? {}
        : { setup: this.setup.map((each) => script('setups', each, share(this.setup) / 2)) }),
      steps,
    }
    return new Map([['guide.yaml', Buffer.from(stringify(guide))], ...files])
  }
}

/** Files that a guide copies to the machine. */
export const ASSETS_MAX = 50
/** Texts and scripts that a guide can name, with repetitions. */
const READS_MAX = 1_000
const NOTES_MAX = 10_000
/** Our format allows fewer, which the author then reads with the other errors. */
const STEPS_MAX = 500

/** Returns the seconds of each script if all of them run after one click. */
const share = (scripts: readonly unknown[]): number => Math.floor(CLICK_SECONDS / 2 / scripts.length) * 2

/** Files of a guide in a foreign format, by their path from its folder. */
export type SourceFiles = ReadonlyMap<string, Buffer>

/**
 * Returns the text of a file with line feeds and without a byte order mark. Bytes that are not UTF-8 become the
 * replacement character.
 * @throws UnreadableGuide if it is absent or too large to be searched
 */
export function textOf(files: SourceFiles, path: string): string {
  const content = files.get(path)
  if (content === undefined) throw new UnreadableGuide([errorAt(path, '', 'The file is missing.')])
  if (content.length > GUIDE_LIMITS.markdown)
    throw new UnreadableGuide([errorAt(path, '', 'The text is larger than 256 kB.')])
  return content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
}

/** Returns what a file in YAML contains; null for an empty one. A key that is repeated has its last value. */
export const yamlOf = (text: string): unknown => parse(text, { uniqueKeys: false })

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns a title or sentence on one line, at most this long. */
function cut(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').replace(INVISIBLE, '').trim()
  return line === '' ? 'Untitled' : line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`
}

/** Returns the ID of a guide. Titles in other scripts and long ones get a hash, so that two guides stay apart. */
function idOf(title: string): string {
  const slug = slugOf(title)
  if (title.length <= 60 && slug !== UNTITLED) return slug
  const hash = createHash('sha256').update(title).digest('hex').slice(0, 8)
  return `${slug.slice(0, 54).replace(/-+$/, '')}-${hash}`
}

const UNTITLED = 'untitled'

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '') || UNTITLED

/** Returns a function that makes IDs of texts, each once. */
function uniqueIds(): (text: string) => string {
  const taken = new Set<string>()
  return (text) => {
    const base = slugOf(text).slice(0, 55).replace(/-+$/, '')
    let id = base
    for (let number = 2; taken.has(id); number++) id = `${base}-${number}`
    taken.add(id)
    return id
  }
}

/** Returns a path in the folder that no file has. */
function pathIn(files: ReadonlyMap<string, Buffer>, folder: string, name: string, end: string): string {
  const short = name.split('/').slice(-2).join('-')
  const dot = end === '' ? '' : short.endsWith(end) ? '' : end
  const safe = short.replace(/[^A-Za-z0-9._-]+/g, '-').slice(-120)
  let path = `${folder}/${safe}${dot}`
  for (let number = 2; files.has(path); number++) path = `${folder}/${number}-${safe}${dot}`
  return path
}

/** Commands of Instruqt's machines. A message ends the check. */
const SHELL_FUNCTIONS = `fail-message() { printf '%s\\n' "$*"; exit 1; }
set-status() { printf '%s\\n' "$*"; }
`

/** Returns the script with an interpreter that runs here, and with the commands of the foreign product that it calls. */
function runnable(content: string): string {
  const [first = '', ...rest] = content.split('\n')
  const isShell = !first.startsWith('#!') || /\b(?:ba|da|z)?sh\b/.test(first)
  if (!isShell) return content
  const body = first.startsWith('#!') ? rest.join('\n') : content
  const needsFunctions = /\b(?:fail-message|set-status)\b/.test(body)
  // A name with a hyphen is a function only in bash.
  const isPosix = /[/ ]sh\b/.test(first) && !needsFunctions
  // Scripts are read from standard input, so an option such as -e of the first line becomes a command.
  const options = /^#!\s*\S*sh\s+-([a-z]+)/.exec(first)?.[1]?.replace(/[^euvx]/g, '') ?? ''
  const head = [`#!/bin/${isPosix ? 'sh' : 'bash'}`, ...(options === '' ? [] : [`set -${options}`]), '']
  return `${head.join('\n')}${needsFunctions ? SHELL_FUNCTIONS : ''}${body}`
}
