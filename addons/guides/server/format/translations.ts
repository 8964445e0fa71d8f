import { z } from 'zod'
import type { GuideNode } from '../../contract/guide-text.ts'
import { parseText } from '../text/parse-text.ts'
import { errorAt, type Finding, warningAt } from './finding.ts'
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

const FOLDER = /^i18n\/([^/]+)\//

/** Returns the translations of a guide by language, and what is wrong with them. */
export function readTranslations(
  guide: Guide,
  files: GuideFiles,
): { readonly translations: Readonly<Record<string, Translation>>; readonly findings: readonly Finding[] } {
  const findings: Finding[] = []
  const translations: Record<string, Translation> = {}
  const folders = new Set([...files.keys()].flatMap((path) => FOLDER.exec(path)?.[1] ?? []))
  let bytes = 0
  for (const folder of folders) {
    const base = `i18n/${folder}`
    if (!language.safeParse(folder).success || folder === guide.language || Object.keys(translations).length >= 20) {
      findings.push(warningAt(base, '', 'The folder is not the one of another language, or there are more than 20.'))
      continue
    }
    const path = `${base}/guide.yaml`
    const content = files.get(path)
    const read = translationSchema.safeParse(content === undefined ? {} : readYaml(path, content.toString('utf8')))
    if (!read.success) {
      findings.push(
        ...read.error.issues.map(({ path: at, message }) => errorAt(path, at.join('.'), `The value ${message}.`)),
      )
      continue
    }
    findings.push(...unknownIds(guide, read.data, path))
    const texts: Record<string, readonly GuideNode[]> = {}
    for (const step of guide.steps) {
      const file = `${base}/${step.text}`
      const translated = files.get(file)
      if (translated === undefined) continue
      bytes += translated.length
      if (bytes > GUIDE_LIMITS.translations) {
        findings.push(errorAt(file, '', 'The translated texts are larger than 1 MB.'))
        return { translations, findings }
      }
      const parsed = parseText(translated.toString('utf8'), { file, guide, step })
      findings.push(...parsed.findings)
      texts[step.id] = parsed.nodes
    }
    translations[folder] = { ...read.data, texts }
  }
  return { translations, findings }
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

export const stepIn = (translation: Translation | null, step: string): StepTexts | undefined =>
  translation?.steps.find((each) => each.id === step)

export const taskOfTranslation = (
  translation: Translation | null,
  task: string,
): StepTexts['tasks'][number] | undefined =>
  translation?.steps.flatMap(({ tasks }) => tasks).find((each) => each.id === task)

export const questionOfTranslation = (
  translation: Translation | null,
  question: string,
): StepTexts['questions'][number] | undefined =>
  translation?.steps.flatMap(({ questions }) => questions).find((each) => each.id === question)
