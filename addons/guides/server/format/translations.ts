import { z } from 'zod'
import type { GuideNode } from '../../contract/guide-text.ts'
import { parseText, wrongHints } from '../text/parse-text.ts'
import { errorAt, type Finding, limited, warningAt } from './finding.ts'
import { hiddenTexts, textOf, tooLarge } from './plain-text.ts'
import { type Guide, GUIDE_LIMITS, language, text, tasksOf } from './schema.ts'
import { readYaml } from './yaml.ts'
import type { GuideFiles } from './zip.ts'

const id = z.string().min(1).max(63)

/** The file i18n/LANGUAGE/guide.yaml: texts, found by their ids. */
const translationSchema = z.strictObject({
  title: text(100).optional(),
  summary: text(300).optional(),
  steps: z
    .array(
      z.strictObject({
        id,
        title: text(100).optional(),
        tasks: z
          .array(
            z.strictObject({
              id,
              title: text(120).optional(),
              checks: z
                .array(z.strictObject({ id, title: text(120).optional() }))
                .max(10)
                .default([]),
              hints: z
                .array(z.strictObject({ text: text(1000) }))
                .max(5)
                .default([]),
            }),
          )
          .max(10)
          .default([]),
        questions: z
          .array(
            z.strictObject({
              id,
              text: text(500).optional(),
              choices: z.array(text(200)).max(10).optional(),
              explanation: text(1000).optional(),
            }),
          )
          .max(10)
          .default([]),
      }),
    )
    .max(60)
    .default([]),
})
type Texts = z.output<typeof translationSchema>
type StepTexts = Texts['steps'][number]

/** Texts of a guide in another language. What is missing is shown in the guide's own language. */
export interface Translation extends Texts {
  /** Texts of steps, by step. */
  readonly texts: Readonly<Record<string, readonly GuideNode[]>>
}

const TRANSLATIONS_MAX = 20
const FOLDER = /^i18n\/([^/]+)\//

/** Returns the translations of a guide by language, and the findings in them. */
export function readTranslations(
  guide: Guide,
  files: GuideFiles,
): { readonly translations: Readonly<Record<string, Translation>>; readonly findings: readonly Finding[] } {
  const { used, findings } = foldersOf(guide, files)
  const translations: Record<string, Translation> = {}
  const budget = new Budget()
  for (const folder of used) {
    const read = readTranslation(guide, files, { folder: `i18n/${folder}`, budget })
    findings.push(...read.findings)
    // Larger texts are not parsed.
    if (budget.isSpent) break
    if (read.translation !== null) translations[folder] = read.translation
  }
  return { translations, findings }
}

/** Bytes of all translated texts. */
class Budget {
  #bytes = 0

  get isSpent(): boolean {
    return this.#bytes > GUIDE_LIMITS.translations
  }

  /** Returns a finding if the content is too much. */
  spend(path: string, { length }: Buffer): Finding[] {
    this.#bytes += length
    return this.isSpent ? [errorAt(path, '', 'The translated texts are larger than 1 MB.')] : []
  }
}

/** Returns the languages that have a folder, and the findings about folders that are not used. */
function foldersOf(guide: Guide, files: GuideFiles) {
  const folders = [...new Set([...files.keys()].flatMap((path) => FOLDER.exec(path)?.[1] ?? []))]
  const used = folders
    .filter((folder) => language.safeParse(folder).success && folder !== guide.language)
    .slice(0, TRANSLATIONS_MAX)
  const sentence = `The folder is not the one of another language, or there are more than ${TRANSLATIONS_MAX}.`
  const unused = folders.filter((folder) => !used.includes(folder))
  return { used, findings: unused.map((folder) => warningAt(`i18n/${folder}`, '', sentence)) }
}

interface Place {
  /** Folder of the language. */
  readonly folder: string
  readonly budget: Budget
}

/** Reads the files of a language. Returns null if its guide.yaml is wrong. */
function readTranslation(
  guide: Guide,
  files: GuideFiles,
  place: Place,
): { readonly translation: Translation | null; readonly findings: readonly Finding[] } {
  const path = `${place.folder}/guide.yaml`
  const content = files.get(path) ?? Buffer.from('{}')
  const over = place.budget.spend(path, content)
  if (over.length > 0 || tooLarge(path, content).length > 0) return { translation: null, findings: over }
  const yaml = textOf(content)
  if (yaml === null) return { translation: null, findings: [errorAt(path, '', 'The file is not UTF-8.')] }
  const { value, findings: ofYaml, lineOf } = readYaml(path, yaml)
  const read = translationSchema.safeParse(value)
  const issues = value === undefined ? [] : (read.error?.issues ?? [])
  const ofValues = [
    ...limited(issues.map(({ path: at, message }) => errorAt(path, at.join('.'), `The value ${message}.`))),
    ...hiddenTexts(path, read.data),
    ...(read.success ? wrongHints(guide, read.data, path) : []),
  ].map((finding) => ({ ...finding, line: lineOf(finding.at.split('.')) }))
  const { texts, findings: ofTexts } = readTexts(guide, files, place)
  const findings = [...ofYaml, ...ofValues, ...ofTexts]
  if (!read.success) return { translation: null, findings }
  return {
    translation: { ...read.data, texts },
    findings: [...findings, ...unknownIds(guide, read.data, path), ...unlike(guide, read.data, path)],
  }
}

/** Reads the translated texts of the steps, until they are too large. */
function readTexts(guide: Guide, files: GuideFiles, { folder, budget }: Place) {
  const texts: Record<string, readonly GuideNode[]> = {}
  const findings: Finding[] = []
  for (const step of guide.steps) {
    const file = `${folder}/${step.text}`
    const content = files.get(file)
    if (content === undefined) continue
    const over = budget.spend(file, content)
    if (over.length > 0) return { texts, findings: [...findings, ...over] }
    if (tooLarge(file, content).length > 0) continue
    const markdown = textOf(content)
    if (markdown === null) {
      findings.push(errorAt(file, '', 'The text is not UTF-8.'))
      continue
    }
    const parsed = parseText(markdown, { file, guide, step, files })
    findings.push(...parsed.findings)
    texts[step.id] = parsed.nodes
  }
  return { texts, findings }
}

/** Returns the texts that no part of the guide uses. */
function unknownIds(guide: Guide, { steps }: Texts, path: string): Finding[] {
  const known = new Set([
    ...guide.steps.map((step) => `step ${step.id}`),
    ...tasksOf(guide).map((task) => `task ${task.id}`),
    ...guide.steps.flatMap(({ questions = [] }) => questions.map((question) => `question ${question.id}`)),
  ])
  const used = steps.flatMap((step) => [
    `step ${step.id}`,
    ...step.tasks.map((task) => `task ${task.id}`),
    ...step.questions.map((question) => `question ${question.id}`),
  ])
  return used.filter((name) => !known.has(name)).map((name) => warningAt(path, '', `The guide has no ${name}.`))
}

/** Returns the tasks and questions that the translation cannot fit, because hints and choices are found by their place. */
function unlike(guide: Guide, translation: Texts, path: string): Finding[] {
  const { tasks, questions } = textsById(translation)
  const findings: Finding[] = []
  const add = (sentence: string) => findings.push(warningAt(path, '', sentence))
  for (const { id: task, checks, hints = [] } of tasksOf(guide)) {
    const other = tasks.get(task)
    if (other === undefined) continue
    for (const { id: check } of other.checks)
      if (!checks.some((each) => each.id === check)) add(`The task ${task} has no check ${check}.`)
    if (other.hints.length > 0 && other.hints.length !== hints.length)
      add(`The hints of the task ${task} are ${hints.length}, and ${other.hints.length} in the translation.`)
  }
  for (const { id: question, choices = [] } of guide.steps.flatMap((step) => step.questions ?? [])) {
    const other = questions.get(question)?.choices
    if (other !== undefined && other.length !== choices.length)
      add(`The choices of the question ${question} are ${choices.length}, and ${other.length} in the translation.`)
  }
  return findings
}

const byId = <T extends { readonly id: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [each.id, each]))

/** Texts of a translation by the id of their step, task and question. */
export interface TextsById {
  readonly steps: ReadonlyMap<string, StepTexts>
  readonly tasks: ReadonlyMap<string, StepTexts['tasks'][number]>
  readonly questions: ReadonlyMap<string, StepTexts['questions'][number]>
}

export const textsById = ({ steps }: Pick<Texts, 'steps'>): TextsById => ({
  steps: byId(steps),
  tasks: byId(steps.flatMap(({ tasks }) => tasks)),
  questions: byId(steps.flatMap(({ questions }) => questions)),
})
